/** Code that a cut hides, up to the line of the cut, from it on, or between two. */
const cut = /^[ \t]*\/\/[ \t]?---cut(?:-(before|after|start|end))?---[ \t]*$/
/** `//    ^?`, `//  ^^^^`, `// ^|` point at the line above. */
const pointer = /^[ \t]*\/\/[ \t]*\^(?:\?|\||\^*)[ \t]*$/
/** `// @noErrors`, `// @errors: 2339`; comments of TypeScript such as `@ts-expect-error` stay. */
const flag = /^[ \t]*\/\/[ \t]?@(\w+)(?::[ \t]*(.*))?[ \t]*$/
/** Flags whose value readers see. */
const shown = new Set(['filename', 'log', 'warn', 'error', 'annotate'])

/** Removes what twoslash hides from readers: cut code, its flags and its queries. Pure. */
export function removeTwoslash(code: string): string {
  let kept: string[] = []
  let isHidden = false
  for (const line of code.split('\n')) {
    const [isCut, place = 'before'] = cut.exec(line) ?? []
    if (isCut === undefined) {
      if (!isHidden) kept.push(...readLine(line))
      continue
    }
    if (place === 'after') break
    if (place === 'before') kept = []
    isHidden = place === 'start'
  }
  return kept.join('\n').replace(/^\n+|\s+$/g, '')
}

function readLine(line: string): string[] {
  if (pointer.test(line)) return []
  const [isFlag, name = '', value = ''] = flag.exec(line) ?? []
  if (isFlag === undefined) return [line]
  return shown.has(name) && value !== '' ? [`// ${value}`] : []
}

/** Whether a fence uses twoslash: by its options, or because a cut would be shown otherwise. Pure. */
export function isTwoslash(options: string, code: string): boolean {
  return /(?:^|\s)twoslash(?:\s|$|=)/.test(options) || /^[ \t]*\/\/ ---cut(?:-\w+)?---[ \t]*$/m.test(code)
}
