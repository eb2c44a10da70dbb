import type { Generated, Selectable } from 'kysely'

/** The tables of the content: decision 25. */
export interface ContentTables {
  /** One thing that staff edit: the site as a whole, or one page of it. */
  content_documents: {
    id: string
    kind: ContentKind
    /** BCP 47, such as `en`. */
    language: string
    /** The document that this one translates. */
    translation_of: string | null
    /** The path of the newest version, perhaps scheduled, or of the draft while there is none. Unique in its language. */
    path: string
    /** The number of the last version, even if it was deleted since. */
    last_version: Generated<number>
    archived_at: string | null
    created_at: string
  }

  /** Every published version, and drafts that would have been lost. Rows are never updated: they prove what the site claimed and when. */
  content_versions: {
    id: string
    document_id: string
    /** From 1 for each document. No other version ever gets it: it proves what was claimed when. */
    number: number
    path: string
    /** JSON in the schema of this number. */
    body: string
    schema: number
    author_id: string | null
    /** The name at that time, which outlives the account. */
    author: string
    note: string
    /** JSON: the findings of the claim guard that were overridden, with the reasons, as `RecordedOverride`. */
    findings: string
    /** JSON: the ids of everybody whose words may be in it and were not approved before. */
    editors: Generated<string>
    created_at: string
  }

  /** The draft of each document. It may be invalid. */
  content_drafts: {
    document_id: string
    /** As in the body, for lists. */
    title: string
    body: string
    schema: number
    /** One more with each change. */
    revision: number
    /** The version that the draft had as its body at `base_revision`. */
    base_version_id: string | null
    base_revision: number
    edited_by_id: string | null
    edited_by: string
    edited_at: string
  }

  /**
   * What is live: of each document the row with the greatest `live_from` and `id` that is due and not cancelled. One is due
   * when its time has come, or had come when it was set. Rows are only added; only one that is not due may be cancelled.
   */
  content_publications: {
    /** Counts all publications, so that a new one is noticed whatever its time. */
    id: number
    document_id: string
    /** Null takes the document offline. */
    version_id: string | null
    live_from: string
    cancelled_at: string | null
    set_by: string
    created_at: string
  }

  /** An address that leads to a document: one that it had, or one that staff named. */
  content_redirects: {
    language: string
    /** As `readOldAddress` keeps it. */
    from_path: string
    document_id: string
    /** A fixed page, which belongs to the site document; null leads to the path of the document. */
    to_path: Generated<string | null>
    /** 1 for one that staff named: it stays, however often the document is renamed. */
    is_kept: Generated<number>
    created_at: string
  }

  /** Where a document was imported from, so that nothing is imported twice. */
  content_origins: {
    /** The address of a post at its old site, or the id of a document in the installation it comes from. */
    origin: string
    document_id: string
    created_at: string
  }

  /** A number of the law with its date and source. Rows are only added; the last row of a name is the fact. */
  facts: {
    id: number
    name: string
    value: string
    /** Empty for none. */
    unit: string
    /** The day on which it was so, as all dates here in the form 2026-07-01. */
    as_at: string
    source_title: string
    source_url: string
    review_by: string
    /** The last day on which it holds; null while none is known. */
    ends_on: string | null
    checked_by: string
    created_at: string
  }

  /** The editors of a draft since the live version. */
  content_draft_editors: {
    document_id: string
    user_id: string
    /** Of the draft, after their last change. */
    revision: number
  }

  /** A version that somebody wants to be published. A document has at most one without an outcome. */
  content_reviews: {
    id: string
    document_id: string
    version_id: string
    /** Of the draft that became the version. Below 1, the version is not the draft: see `NO_REVISION` of `publishChange`. */
    revision: number
    asked_by_id: string
    /** Names as they were, which outlive the accounts. */
    asked_by: string
    note: string
    /** Null for as soon as it is approved. */
    live_from: string | null
    asked_at: string
    outcome: ReviewOutcome | null
    decided_by_id: string | null
    decided_by: string | null
    decision_note: string
    decided_at: string | null
  }

  /** A fact as somebody wants it to be; at most one for each name. */
  fact_proposals: Omit<ContentTables['facts'], 'id' | 'checked_by' | 'created_at'> & {
    id: string
    /** The row that it replaces. */
    fact_id: number
    asked_by_id: string
    asked_by: string
    asked_at: string
  }
}

export type ContentKind = 'site' | 'page' | 'article' | 'visa'

/** Why a review is over: `replaced` by a later request or a publication without one. */
export type ReviewOutcome = 'approved' | 'declined' | 'withdrawn' | 'replaced'

export type ContentDraftRow = Selectable<ContentTables['content_drafts']>
export type FactRow = Selectable<ContentTables['facts']>
