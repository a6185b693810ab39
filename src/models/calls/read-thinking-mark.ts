/** A mark of thinking, or one that only separates it from the answer (`drop`). */
export interface ThinkingMark {
  /** Marks of different families do not end each other's thinking. */
  family: 'tag' | 'bracket' | 'bar' | 'channel'
  kind: 'open' | 'close' | 'drop'
  length: number
}

/** No mark is longer. */
export const markCharsMax = 400

interface MarkForm {
  family: ThinkingMark['family']
  /** `open`, `close` and `drop` are the groups that tell the kind. */
  whole: RegExp
  /** What may still become one: loose, and bounded, because it is held back. */
  begun: RegExp
}

const names = '(?:(?:seed|ant|antml|mm):|longcat_)?(?:think(?:ing)?|thoughts?|reasoning|reflection|scratchpad)'
const brackets = String.raw`think(?:ing)?|thought|reasoning`

const forms: readonly MarkForm[] = [
  {
    family: 'tag',
    whole: new RegExp(
      String.raw`^(?:<(?:(?<drop>${names}(?:\s[^<>]{0,200})?\/)|(?<open>${names}(?:\s[^<>]{0,200})?)|(?<close>\/${names}\s{0,9}))>)`,
      'i',
    ),
    begun: new RegExp(String.raw`^<\/?(?:[a-z_:]{0,24}|${names}(?:\s[^<>]{0,200}\/?|\/))$`, 'i'),
  },
  // Not links of Markdown.
  {
    family: 'bracket',
    whole: new RegExp(String.raw`^\[(?:(?<open>${brackets})|(?<close>\/(?:${brackets})))\](?![([:])`, 'i'),
    begun: /^\[\/?[a-z]{0,9}\]?$/i,
  },
  { family: 'bracket', whole: /^◁(?:(?<open>think)|(?<close>\/think))▷/, begun: /^◁\/?[a-z]{0,5}$/ },
  {
    family: 'bar',
    whole:
      /^<\|(?:(?<open>(?:(?:begin|start)(?:_of)?_)?(?:thought|think(?:ing)?))|(?<close>(?:\/|end(?:_of)?_)(?:thought|think(?:ing)?))|(?<drop>(?:begin|start|end)(?:_of)?_(?:solution|response|answer)))\|>/i,
    begun: /^<\|[a-z_/]{0,20}\|?$/i,
  },
  // The messages of gpt-oss, of which only those in the final channel are for the reader.
  {
    family: 'channel',
    whole:
      /^(?:<\|start\|>[\w.]{0,40}(?=<\|))?(?:<\|channel\|>\s{0,9}(?:(?<close>final)|(?<open>[a-z]{1,20}))\b[^<]{0,80}(?:<\|constrain\|>[^<]{0,40})?<\|message\|>|(?<drop><\|(?:end|return|call)\|>))/,
    begun:
      /^(?:<\|start\|>[\w.]{0,40})?(?:<(?:\|[a-z]{0,9}\|?)?|<\|channel\|>[^<]{0,100}(?:<\|constrain\|>[^<]{0,40})?(?:<(?:\|[a-z]{0,9}\|?)?)?)?$/,
  },
  {
    family: 'channel',
    whole: /^<(?:(?<open>\|channel>(?:thought|analysis)\n?)|(?<close>channel\|>))/,
    begun: /^<(?:\|[a-z]{0,7}(?:>[a-z]{0,8})?|c[a-z]{0,6}\|?)?$/,
  },
]

/**
 * @param text From the first character of a possible mark.
 * @param isWhole Whether no more text follows.
 * @returns The mark at the start; null if there is none; `begun` if that depends on what follows.
 */
export function readThinkingMark(text: string, isWhole: boolean): ThinkingMark | 'begun' | null {
  if (!isWhole && forms.some(({ begun }) => begun.test(text))) return 'begun'
  for (const { family, whole } of forms) {
    const match = whole.exec(text)
    if (match === null) continue
    const { open, close } = match.groups ?? {}
    const kind = open !== undefined ? 'open' : close !== undefined ? 'close' : 'drop'
    return { family, kind, length: match[0].length }
  }
  return null
}
