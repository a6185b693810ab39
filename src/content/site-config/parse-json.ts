import type { FindingList } from '../finding-list.ts'

/** Parses a JSON file of the site; undefined, with a finding that has the line, if it is invalid. */
export function parseJson(text: string, file: string, findings: FindingList): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const line = lineOfFault(text, reason)
    findings.add({ file, line, rule: 'config-unparsable', message: `The file is not valid JSON: ${reason}.` })
    return undefined
  }
}

function lineOfFault(text: string, reason: string): number | null {
  const position = /at position (\d+)/.exec(reason)?.[1]
  return position === undefined ? null : text.slice(0, Number(position)).split('\n').length
}
