import { type Rule, sources } from './finding.ts'
import { agency, type WordingRule, words } from './wording.ts'

/** Rules of the level stop: promises of a visa, rates of success, influence. */

const officials =
  '(?:department|government|home affairs|immigration|embass(?:y|ies)|consulates?|case officers?|officers?|officials?|minister|ministry|border force)'

/** Up to three words that do not deny what follows. */
const up3 = '(?:(?!not\\b|never\\b)[\\w-]+ ){0,3}?'

const visaWords =
  /\b(?:visas?|grant(?:s|ed)?|approv(?:als?|ed)|applications?|residen(?:ce|cy|ts?)|pr|migrat\w+|immigrat\w+|outcomes?|results?|citizenship|nominations?|sponsorships?|invitations?|success\w*|refus(?:als?|ed)|subclass(?:es)?|lodg\w+|cases?|australia)\b/i

const visaPromise: Rule = {
  rule: 'visa-promise',
  level: 'stop',
  why: 'The Department decides about every visa, so nobody can promise one.',
  source: sources.misleading,
  suggestion: 'Say what you do for the application, and that the Department decides.',
}
const successRate: Rule = {
  rule: 'success-rate',
  level: 'stop',
  why: 'Past results say nothing about the next application, and readers take a rate for a promise.',
  source: sources.misleading,
  suggestion: 'Leave the rate out, or keep the proof and give it as the reason.',
}
const influence: Rule = {
  rule: 'influence',
  level: 'stop',
  why: 'An agent has no influence on a decision, and must not suggest any.',
  source: sources.misleading,
  suggestion: 'Say that you are registered, with the number, and that the Department decides.',
}

export const promiseRules: readonly WordingRule[] = [
  {
    ...visaPromise,
    pattern: words('guarant(?:ee|ees|eed|eeing|y|ied)\\b'),
    near: visaWords,
    unlessBefore:
      /\b(?:bank|loan|financial|parental|satisfaction|quality|privacy|price|fee|reply|replies|answers?|confidentiality)(?: is| are)?[ -]$/i,
    unlessAfter:
      /^\W*(?:(?:you|that|a|an|the|your|our|we|always|to|will|every|clear|prompt|quick|written|fixed|annual|minimum)\b\W*){0,5}(?:repl\w+|answer\w*|respon\w+|privacy|confidential\w*|appointments?|calls?|satisfaction|quality|prices?|fees?|security|treat|explain|write|earnings|income|salary|pay|wages|hours|full-time (?:work|employment)|by law|by the (?:law|act|code)|under the)\b/i,
  },
  {
    ...visaPromise,
    pattern: words('assur(?:ed|es|e|ing)\\b'),
    near: visaWords,
    unlessBefore: /\b(?:rest|be|self|quality|you can feel|feel)[ -]$/i,
    unlessAfter: /^ (?:quality|privacy|by (?:law|the)\b|you (?:of (?:our|privacy)|that we))/i,
  },
  {
    ...visaPromise,
    pattern: words('(?:100 ?%|100 per ?cent\\b|(?:one )?hundred per ?cent\\b)'),
    near: visaWords,
    unlessAfter:
      /^ ?(?:of (?:the|your|this|that|all|any|our)? ?(?:\w+ )?(?:fees?|charges?|costs?|prices?|amounts?|money|payments?|deposit|shares?|business|company)|owned|online|confidential|independent|australian|refund\w*|attendance)\b/i,
  },
  {
    ...visaPromise,
    pattern: words(
      '(?:no|zero|without(?: any)?) risks?\\b|risk[ -]free\\b|no[ -]win,?[ -]no[ -]fee\\b|no visa,?[ -](?:no|zero)[ -](?:fee|pay|charge)',
    ),
    near: /\b(?:visas?|applications?|refus(?:als?|ed)|residen(?:ce|cy)|migrat\w+|immigrat\w+|fee|cases?|nominations?|sponsorships?|citizenship)\b/i,
    unlessBefore: /\b(?:there is|there's|is there|at) $/i,
    unlessAfter: /^ (?:to|for) (?:the community|public|health|australia)/i,
  },
  {
    ...visaPromise,
    pattern: words(
      "promis(?:e|es|ed|ing) (?:you |to get you |everyone |every client )?(?:a|an|the|your|our clients'?)? ?(?:\\w+ )?(?:visas?|grant|approval|pr\\b|permanent residen|positive|success)|(?:will|is (?:sure|certain|bound) to) (?:definitely |certainly |surely |always )?(?:get|win|secure) (?:you )?(?:a|an|your|the) (?:\\w+ )?(?:visa|pr\\b|permanent residen|approval|grant)|your (?:visa|application|pr|case) (?:will|is (?:sure|certain|bound|going) to) (?:definitely |certainly |surely |always )?(?:be (?:granted|approved|successful)|succeed)|(?:cannot|can't|never) be refused|visas? for sure\\b",
    ),
    near: visaWords,
    unlessBefore:
      /\b(?:if|when|whether|before|until|unless|once|hope|hopes|decides?|think|believe)\b[^,]{0,40}$/i,
  },
  {
    ...successRate,
    pattern: words(
      '(?:success|approval|grant|acceptance|win|winning)[ -]rates?\\b|rates? of (?:success|approvals?|grants?)\\b|(?:all|each|every one|none|every single one) of our (?:visa )?(?:clients|applications|cases|visas) (?:\\w+ )?(?:approved|granted|successful|succeeded?|refused|got|get|received?)|(?:nine|nineteen|ninety-\\w+|9|19|99) (?:out of|in) (?:every )?(?:a )?(?:ten|twenty|hundred|10|20|100)\\b[^.]{0,60}\\b(?:approv\\w+|granted|succe\\w+)|never (?:lost|had) (?:a|one|any) (?:case|refusal|visa refused)',
    ),
    unlessAround:
      /^(?!.*\b(?:our|we|us|my)\b).*\b(?:department(?:'s)?|home affairs|government|official statistics|ask (?:how )?(?:any|an|every) agen(?:t|cy)|publish\w*|proof)\b/i,
  },
  {
    ...successRate,
    pattern: words('\\d{1,3}(?:\\.\\d{1,3})? ?(?:%|per ?cent)'),
    near: /\b(?:approv(?:als?|ed)|granted|success(?:es|ful|fully)?|succeed(?:s|ed)?|wins?|won)\b/i,
    unlessAfter:
      /^ ?of (?:the|your|this|all|any|our)? ?(?:\w+ )?(?:fees?|charges?|costs?|prices?|amounts?|money|points|salary|income|shares?|deposit)\b/i,
    unlessAround:
      /^(?!.*\b(?:our|we|us|my)\b).*\b(?:department|home affairs|government|points|pass mark|refund)\b/i,
  },
  {
    ...influence,
    pattern: words(
      `(?:special|close|privileged|personal|direct|unique|excellent|strong|good) (?:relation(?:s|ships?)?|arrangements?|access|links?|connections?|ties|deals?) (?:with|to|in|inside|within|at) (?:\\w+ ){0,4}?${officials}\\b`,
    ),
  },
  {
    ...influence,
    pattern: words(
      `(?:inside|insider|personal|secret) (?:contacts?|connections?|track|knowledge|sources?|links?|influence)\\b|(?:we|i|agents? who) (?:have|know|has) (?:\\w+ ){0,2}?(?:contacts?|connections?|friends?|people|someone|somebody|insiders?) (?:inside|in|within|at|with) (?:\\w+ ){0,3}?${officials}\\b|(?:our|my) (?:contacts?|connections?|friends?|insiders?|people) (?:inside|in|within|at|with) (?:\\w+ ){0,3}?${officials}\\b|(?:contacts?|connections?|friends) inside (?:\\w+ ){0,3}?${officials}\\b|(?:former|ex)[ -](?:case )?officers? (?:who|on our team) (?:know|still)\\b|(?:influence|speed up|fast[ -]track|jump the queue at) (?:the |a )?(?:department|decision|queue)`,
    ),
    unlessAfter: /^ (?:about|on) (?:the )?(?:weather|form)/i,
  },
  {
    ...influence,
    pattern: words(
      `(?:government|department|home affairs|ministry|state)[ -](?:approved|endorsed|authori[sz]ed|recommended|accredited|backed|certified|licen[cs]ed|preferred) (?:[\\w-]+ ){0,3}?${agency}\\b|(?:we|us|our ${agency}|this ${agency}|landfall(?: migration)?) (?:are|is|have been|has been|were|was) ${up3}(?:government|department)[ -](?:approved|endorsed|authori[sz]ed|recommended|accredited|backed|certified)|(?:we|us|our ${agency}|${agency}) (?:are|is|have been|has been|were|was)? ?${up3}(?:approved|endorsed|authori[sz]ed|recommended|accredited|backed|certified|preferred) by (?:the |australia's )?(?:\\w+ )?${officials}\\b`,
    ),
    unlessAfter: /^ (?:of|for) (?:english|health|medical)/i,
  },
  {
    ...influence,
    pattern:
      /^\W*(?:government|department)[ -](?:approved|endorsed|authori[sz]ed|accredited|recommended)\W*$/gi,
  },
]
