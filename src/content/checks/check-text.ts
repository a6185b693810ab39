import { createFenceTracker } from '../markdown/code-fence.ts'
import { controlCharacters, invisibleCharacters, strayJoiner } from '../trees/clean-text.ts'
import { isPageFile } from '../trees/source-path.ts'
import { type Fault, makeFault } from './problem.ts'
import type { ChangeRule } from '../finding-rules.ts'

interface LineRule {
  rule: ChangeRule
  /** Whether fenced code may contain it, as on pages about the subject. */
  isFineInCode: boolean
  /** Finds the offending text, one entry per fault. */
  find: (line: string) => string[]
  message: (found: string) => string
}

/** Left behind by language models and editing tools whose output was pasted as content. */
const residue =
  /<\/?(?:antml:)?(?:invoke|function_calls?|parameter|tool_call|tool_use|tool_result|tool_response|function_results|thinking)(?:\s[^<>]*)?>|<\/content>|<\|(?:im_start|im_end|endoftext|start_header_id|end_header_id|eot_id)\|>|\[\/?(?:INST|TOOL_CALLS)\]|^(?:<{5,9} SEARCH|>{5,9} REPLACE|\*\*\* (?:Begin|End) Patch|\*\*\* Update File: .*)$|^\W{0,20}(?:rest of (?:the )?(?:file|page|document|content)|remaining (?:content|sections?)|existing (?:content|code)) (?:remains?|is|stays?|unchanged|here|omitted)[^.]{0,80}\W{0,20}$|\bAs an AI (?:language )?model\b/i

const conflict = /^(?:<{7}|>{7}|\|{7})(?: .*)?$/

/** Scripts written from right to left use direction marks legitimately. */
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u

const rules: readonly LineRule[] = [
  {
    rule: 'tool-residue',
    isFineInCode: true,
    find: (line) => [...(residue.exec(withoutCodeSpans(line)) ?? [])].slice(0, 1),
    message: (found) =>
      `The line contains ${JSON.stringify(found.trim().slice(0, 80))}, left behind by a tool. Remove it.`,
  },
  {
    rule: 'conflict-marker',
    isFineInCode: true,
    find: (line) => (conflict.test(line) ? [line] : []),
    message: () => 'The line is a merge conflict marker. Resolve the conflict and remove its markers.',
  },
  {
    rule: 'invisible-character',
    isFineInCode: false,
    find: findInvisible,
    message: (found) => `The line contains the invisible character ${found}. Remove it.`,
  },
  {
    rule: 'remote-script',
    isFineInCode: true,
    find: (line) => [...withoutCodeSpans(line).matchAll(/<script\b[^>]*/gi)].map(([tag]) => tag),
    message: (found) =>
      `The line adds a script, ${JSON.stringify(found.slice(0, 80))}. Remove it, or have a person add it.`,
  },
  {
    rule: 'remote-frame',
    isFineInCode: true,
    find: (line) => [...withoutCodeSpans(line).matchAll(/<(?:iframe|object|embed)\b[^>]*/gi)].map(([tag]) => tag),
    message: (found) =>
      `The line embeds external content, ${JSON.stringify(found.slice(0, 80))}. Make sure that this is intended.`,
  },
]

/** Finds faults in single lines of any text file. Rules are relaxed for fenced code on pages. */
export function checkText(path: string, text: string): Fault[] {
  const isCode = isPageFile(path) ? createFenceTracker() : () => false
  const faults: Fault[] = []
  const bare = text.startsWith('\uFEFF') ? text.slice(1) : text
  for (const [index, line] of bare.split(/\r\n|\r|\n/).entries()) {
    const isInCode = isCode(line)
    for (const { rule, isFineInCode, find, message } of rules) {
      if (isInCode && isFineInCode) continue
      for (const found of find(line)) {
        faults.push(makeFault({ rule, path, line: index + 1, message: message(found), detail: `${found}\n${line}` }))
      }
    }
  }
  return faults
}

/** Per Markdown, a code span ends at the next run of equally many backticks. */
function withoutCodeSpans(line: string): string {
  const parts = line.split(/(`+)/)
  let text = ''
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index] ?? ''
    const end = index % 2 === 1 ? parts.indexOf(part, index + 1) : -1
    if (end === -1) text += part
    else index = end
  }
  return text
}

/** Names as `U+200B`, except direction marks in text from right to left. */
export function findInvisible(line: string): string[] {
  const found = [invisibleCharacters, strayJoiner, controlCharacters].flatMap((pattern) => line.match(pattern) ?? [])
  const isRightToLeft = rightToLeft.test(line.replaceAll('\u061C', ''))
  return found
    .filter((character) => !(isRightToLeft && /[\u061C\u200E\u200F]/.test(character)))
    .map((character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`)
}
