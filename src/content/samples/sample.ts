/** A fenced block of a page. */
export interface Sample {
  /** First word of the fence's info string, in lower case. */
  language: string
  code: string
}

/** The result of a check of a sample, and its basis. */
export type SampleVerdict =
  | { outcome: 'right' | 'undecided'; basis: string }
  /** `line` counts from 0 within the sample; `subject` is what the fault is about. */
  | { outcome: 'wrong'; basis: string; message: string; line: number; subject: string }

export const undecided: SampleVerdict = { outcome: 'undecided', basis: 'nothing to check it against' }

/** Marks of samples that are templates or leave something out: what replaces them is unknown. */
const placeholder = /\.\.\.|…|\{\{|\{%|<%|<[a-z][\w -]*>|\$\{|\[\[|\/\/ (?:other|rest|more|existing)/im
/** Lines that were taken away and added. In YAML, lines that begin with hyphens are a list. */
const difference = /^[ \t]*[-+] .*\n[ \t]*[-+] |^[+-](?![-+\d])/m

export function hasPlaceholder(code: string, language = ''): boolean {
  return placeholder.test(code) || (difference.test(code) && (!/^ya?ml$/.test(language) || /^[ \t]*\+/m.test(code)))
}

export function lineAt(code: string, offset: number): number {
  return code.slice(0, offset).split('\n').length - 1
}
