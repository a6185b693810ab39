import type { findingSchema } from '../../../../src/contract/admin.ts'
import type { z } from 'zod'

export type Finding = z.output<typeof findingSchema>

/** Those of a rule (all without one) that hold a text in their file, their message or their rule, in any case. */
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

/** The rules that were broken, the most broken first. */
export function listRules(findings: readonly Finding[]): { name: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const { rule } of findings) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
}
