import type { MaskedText } from './masked-text.ts'

/** Says that a value applies unless stated otherwise. */
export const defaultCue =
  /\b(?:defaults?|defaulted|defaulting|out[- ]of[- ]the[- ]box|initial(?:ly|ises?|izes?)?|pre-?(?:set|configured|defined)|falls? back|fall(?:ing)? back|fallback|factory|starts? (?:out |off )?(?:as|at|with)|ships? (?:as|with|set)|comes? (?:as|set|with)|starts? (?:out|off)|left (?:alone|untouched|as is)|leaves? [^.]{0,60}\balone|as shipped|(?:fresh|new|clean) (?:install\w*|setup|project)s?|standard (?:value|setting)|(?:value|set|setting) out)\b/i

const settingVerb =
  /\b(?:set|sets|setting|specif\w*|overrid\w*|overwrit\w*|chang\w*|configur\w*|provid\w*|pass|passed|passing|given?|giving|told|tell|stat\w*|defin\w*|declar\w*|suppl\w*|assign\w*|adjust\w*|altered|alter|explicit\w*|otherwise|instructed|customi[sz]\w*|present)\b/i
/** Says that something is left out. */
export const absence =
  /\b(?:not|never|no|nothing|neither|none|unset|unspecified|undefined|unconfigured|leave|leaves|leaving|left|omit\w*|absent|missing|empty|blank|skip\w*|lack\w*|drop\w*|exclude\w*|remov\w*|absence|unless|without|until)\b|n['’]t\b/i
const clauseStart =
  /\b(?:if|when|where|whenever|while|unless|until|without|omitting|leaving|leave|omit|skipping|skip|in the absence of|absent|with no|lacking|as long as|in case|should|not (?:setting|specifying|passing|providing|giving|having|using)|nothing (?:is )?set for|with(?= ⟦\d+⟧ (?:un\w+|absent|missing|empty|omitted|blank|not)\b)|(?:that|which|who) (?:do|does) not)\b/gi
const pronoun =
  /\b(?:it|this|one|the value|the option|the setting|any|anything|nothing|you|a value|the parameter|the field)\b/i
const afterName =
  /^\s*(?:(?:is|are|was|has|have|been|be|remains?|stays?|goes|in|from|out|alone|at all|isn['’]t|aren['’]t|hasn['’]t|not|un\w+|omitted|absent|missing|empty|blank|set|specified|provided|given|passed|configured|defined|present|there|the request|your config(?:uration)?)\b\s*)*/i

export interface OmissionReading {
  /** The sentence without its clauses of omission. */
  rest: string
  hasOmission: boolean
  /** The mark in such a clause: what is omitted. */
  omitted: number | null
}

/** Finds clauses such as `if you leave out ⟦0⟧` and `unless overridden`: conditions that make a default one. */
export function readOmission({ text }: MaskedText): OmissionReading {
  const reading: OmissionReading = { rest: text, hasOmission: false, omitted: null }
  for (const { index } of text.matchAll(clauseStart)) {
    const clause = cutClause(text.slice(index))
    if (!isOmission(clause) || !reading.rest.includes(clause)) continue
    const [, digits] = /⟦(\d+)⟧/.exec(clause) ?? []
    reading.hasOmission = true
    reading.omitted ??= digits === undefined ? null : Number(digits)
    reading.rest = reading.rest.replace(clause, ' ; ')
  }
  return reading
}

/** To the next comma, or to the end of the name before the main clause. */
function cutClause(text: string): string {
  const end = text.search(/[,;.:()]|\s[–—]\s|\s-\s/)
  const whole = end < 0 ? text : text.slice(0, end)
  const [first] = /^[^⟦]*⟦\d+⟧/.exec(whole) ?? []
  if (first === undefined || !whole.slice(first.length).includes('⟦')) return whole
  return first + (afterName.exec(whole.slice(first.length))?.[0] ?? '').trimEnd()
}

function isOmission(clause: string): boolean {
  const names = [...clause.matchAll(/⟦\d+⟧/g)].length
  if (names > 1) return false
  const [, start = '', body = ''] =
    /^(with no\b|not \w+|nothing\b|in the absence of|as long as|\S+)\s*(.*)$/i.exec(clause) ?? []
  const lower = start.toLowerCase()
  if (/^(?:that|which|who)$/.test(lower)) return names === 1 && settingVerb.test(body)
  if (
    /^(?:without|omit|omitting|leave|leaving|skip|skipping|in the absence of|absent|with no|lacking|not \w+|nothing|with)$/.test(
      lower,
    )
  ) {
    return names === 1 || (pronoun.test(body) && body.split(' ').length < 6) || settingVerb.test(body)
  }
  if (/^(?:unless|until)$/.test(lower)) return settingVerb.test(body)
  if (!absence.test(body)) return false
  const isBare = /^(?:not|un\w+|omitted|left|absent|missing|empty|blank|nothing|none|no)\b/i.test(body)
  return (
    names === 1 || isBare || (pronoun.test(body) && settingVerb.test(body)) || /^(?:it|this) (?:is|['’]s)\b/i.test(body)
  )
}

const bound =
  /\b(?:if|when|whenever|while|only|except|unless|depend\w*|otherwise|as of|previous\w*|former\w*|used to|no longer|anymore|was|were|had|defaulted|became|becom\w*|change[ds]?|changing|deprecat\w*|legacy|earlier|older|historical\w*|original\w*|future|upcoming|planned|plans?|next (?:major|release|version)|migrat\w*|upgrad\w*|version|release|beta|recommend\w*|suggest\w*|advis\w*|should|prefer\w*|consider|typical\w*|usual\w*|often|commonly|sometimes|may|might|could|would|examples?|e\.g|such as|sample|imagine|suppose|say|instead|rather than|compare\w*|unlike|whereas|but|however|although|though|another|other|some|certain|either|both|respectively|or|must|allowed|inside|during|until|before|after|since|prior|across|per)\b|\?|\bv?\d+\.(?:\d|x)|\bv\d+\b|\bn['’]t\b/i
/** Another program, which has a default of its own. */
const otherProgram =
  /\b[A-Z][\w.+#]* (?:client|SDK|library|plugin|driver|adapter|integration|binding)s?\b(?! option| setting)/
const denial = /\b(?:not|never|cannot|no)\b(?! (?:required|mandatory|necessary|need))|n['’]t\b/i
const leadingPlace =
  /^(?:(?:in|on|for|with|under|within|at|from|among|given|once|upon|using|through|via|outside|as|to|by)\b[^,⟦]{1,80},|(?:in|on|under|within|inside)\b(?! the absence)[^,⟦]{4,80}⟦)/i
const trailingPlace =
  /^\s*(?:,\s*)?(?:in|on|for|with|under|within|at|from|among|using|through|via|outside|to|and)\b(?! (?:addition|the reference|this option|this setting))/i
const instruction =
  /^(?:please |you can |you may |you |to |then |now |also |just |simply )*(?:set|setting|change|changing|use|using|pass|passing|add|adding|specify|specifying|configure|switch|turn|enable|enabling|disable|disabling|try|run|choose|pick|give|make|increase|decrease|raise|lower|override|overriding|replace)\b/i

/**
 * Whether the words around a claim bind it to a condition, a version, a place or a piece of advice, or deny it.
 *
 * @param before The sentence up to the value, without clauses of omission. @param after What follows the value.
 */
export function isBound(before: string, after: string): boolean {
  // "Since ⟦0⟧ is on by default" gives a reason.
  const text = before.replace(/^since (?=(?:the )?⟦)/i, '')
  const lead = text.replace(/^\W*by default\b,?|^\W*out of the box\b,?/i, '').trimStart()
  if (instruction.test(text.trimStart()) || leadingPlace.test(lead)) return true
  if (bound.test(text) || denial.test(text) || otherProgram.test(text)) return true
  return trailingPlace.test(after) || bound.test(after)
}
