/** Labels of callout kinds that formats abbreviate. */
const labels: ReadonlyMap<string, string> = new Map([
  ['abstract', 'Abstract'],
  ['bug', 'Bug'],
  ['caution', 'Caution'],
  ['check', 'Success'],
  ['danger', 'Danger'],
  ['deprecated', 'Deprecated'],
  ['error', 'Error'],
  ['example', 'Example'],
  ['failure', 'Failure'],
  ['hint', 'Hint'],
  ['idea', 'Tip'],
  ['important', 'Important'],
  ['info', 'Info'],
  ['new', 'New'],
  ['note', 'Note'],
  ['question', 'Question'],
  ['quote', 'Quote'],
  ['secondary', 'Note'],
  ['seealso', 'See also'],
  ['settings', 'Settings'],
  ['success', 'Success'],
  ['summary', 'Summary'],
  ['tip', 'Tip'],
  ['todo', 'To do'],
  ['warn', 'Warning'],
  ['warning', 'Warning'],
])

/** `warn` → `Warning`; empty for a kind without a meaning of its own. Pure. */
export function calloutLabel(kind: string): string {
  return labels.get(kind.toLowerCase()) ?? ''
}

const calloutKinds: ReadonlyMap<string, 'info' | 'good' | 'warn' | 'bad'> = new Map([
  ...['Abstract', 'Example', 'Info', 'New', 'Note', 'Question', 'See also', 'Settings', 'Summary', 'To do'].map(
    (label) => [label, 'info'] as const,
  ),
  ...['Check', 'Hint', 'Success', 'Tip'].map((label) => [label, 'good'] as const),
  ...['Caution', 'Deprecated', 'Important', 'Warning'].map((label) => [label, 'warn'] as const),
  ...['Bug', 'Danger', 'Error', 'Failure'].map((label) => [label, 'bad'] as const),
])

/** How serious a callout with this label is; null if it is the label of none. */
export function calloutKind(label: string): 'info' | 'good' | 'warn' | 'bad' | null {
  return calloutKinds.get(label) ?? null
}
