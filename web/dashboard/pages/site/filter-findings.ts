import type { findingSchema } from '../../../../src/contract/admin.ts'
import type { z } from 'zod'

export type Finding = z.output<typeof findingSchema>

/** Findings of the rule (all if empty) whose file, message or rule contains the text, ignoring case. */
export function filterFindings(
  findings: readonly Finding[],
  { rule, text }: { rule: string; text: string },
): readonly Finding[] {
  const wanted = text.trim().toLowerCase()
  return findings.filter(
    (finding) =>
      (rule === '' || finding.rule === rule) &&
      `${finding.file}:${finding.line ?? ''}\n${finding.message}\n${finding.rule}`.toLowerCase().includes(wanted),
  )
}

/** Rules with findings, most frequent first. */
export function listRules(findings: readonly Finding[]): { name: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const { rule } of findings) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
}
