import { sql } from 'kysely'
import { isPostgres } from '../engine.ts'
import { addColumns, type EarlierDatabase, withoutTimeout } from './define.ts'

/**
 * The history says in columns what was done and which status a message had before and after it: decision 039. Until now an
 * event had its name in `body`, and statuses were words of `detail`, which nodes of the previous version still write.
 */
export async function splitHistory(db: EarlierDatabase): Promise<void> {
  await withoutTimeout(db)
  await addColumns(db, 'entries', [['text', 'action', 'status_before', 'status_after']])
  await sql`update entries set ${fill} where ${isFromBefore('entries')}`.execute(db)
  await (isPostgres(db) ? fillOnPostgres(db) : fillOnSqlite(db))
}

/** What a row has that was written without the columns. */
const isFromBefore = (row: string) =>
  sql.raw(
    `${row}.action is null and (${row}.kind = 'event' or ${row}.kind = 'reply' and ${row}.detail like '% %')`,
  )

/** One of the statuses in `detail`: `open closed`, or `open` alone. */
const statusIn = (detail: string, pattern: (status: string) => string) => {
  const statuses = ['open', 'waiting', 'closed', 'spam']
  const cases = statuses.map(status => `when ${detail} like '${pattern(status)}' then '${status}'`)
  return `case ${cases.join(' ')} end`
}
const first = (detail: string) => statusIn(detail, status => `${status}%`)
const second = (detail: string) => statusIn(detail, status => `% ${status}`)

/** What the event before this one that changed the status says, if it says it. */
const statusBefore = `(select case earlier.body when 'status' then earlier.detail end from entries as earlier
  where earlier.message_id = entries.message_id and earlier.seq < entries.seq and earlier.kind = 'event'
    and earlier.body in ('status', 'reply-failed', 'merged-into', 'unmerged', 'separated')
  order by earlier.seq desc limit 1)`

/** The statuses of the message that is kept, which the other one's history had. Only undoing the merge needs them. */
const statusOfKept = (part: string) => `(select ${part} from messages
  join entries as merging on merging.message_id = messages.id and merging.kind = 'event' and merging.body = 'merged-into'
  where messages.reference = entries.detail and messages.merged_into = entries.message_id
  order by merging.seq desc limit 1)`

const fill = sql.raw(`
  action = case kind when 'event' then body end,
  status_before = case
    when kind = 'reply' or body = 'merged-into' then ${first('detail')}
    when body = 'merged' then ${statusOfKept(second('merging.detail'))}
    when body = 'status' then ${statusBefore} end,
  status_after = case
    when kind = 'reply' then ${second('detail')}
    when body = 'merged-into' then 'closed'
    when body = 'merged' then ${statusOfKept("case when merging.detail like '% %' then 'open' end")}
    when body = 'status' then detail end,
  detail = case when kind = 'event' and body <> 'merged-into' then detail end`)

/** Of what nodes of the previous version write while the nodes are upgraded one after the other. */
async function fillOnSqlite(db: EarlierDatabase) {
  for (const change of ['insert', 'update of kind, detail'])
    await sql`create trigger ${sql.ref(`entries_from_before_${change.slice(0, 6)}`)}
      after ${sql.raw(change)} on entries for each row when ${isFromBefore('new')} begin
        update entries set ${fill} where id = new.id;
      end`.execute(db)
}

async function fillOnPostgres(db: EarlierDatabase) {
  await sql`create function fill_history_columns() returns trigger language plpgsql as $$
    begin
      update entries set ${fill} where id = new.id;
      return null;
    end $$`.execute(db)
  await sql`create trigger entries_from_before after insert or update of kind, detail on entries
    for each row when (${isFromBefore('new')}) execute function fill_history_columns()`.execute(db)
}
