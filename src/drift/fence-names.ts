import type { PageLine } from './page-lines.ts'

/** Which names in samples are the reader's own, and which packages the others come from. */
export interface FenceNames {
  isOwn(name: string): boolean
  /** Package that a sample of the page imports the name from; empty if none does. */
  sourceOf(name: string): string
  /** The package if all imports of the page are from it; else empty. */
  onlySource: string
}

const declared =
  /(?:^|[\s(])(?:const|let|var|function\*?|class|def|interface|type|enum|struct|func|fn)[ \t]+([A-Za-z_$][\w$]*)/g
const augmentation = /^[ \t>]*(?:declare[ \t]+(?:module|global)|namespace)\b/
const assigned = /^[ \t]*([A-Za-z_]\w*)[ \t]*(?::[^=]{1,60})?=[^=]/
const arrow = /\(?([a-z_$][\w$]*)(?:,[ \t]*([a-z_$][\w$]*))?\)?[ \t]*=>/g
const scriptImport = /\bimport\s(?:type\s)?([^'";]{1,1000}?)\sfrom\s{1,20}["']([^"'\n]{1,200})["']/g
const pythonImport = /^[ \t>.]*from[ \t]+([\w.]+)[ \t]+import[ \t]{1,20}\(?([^()]{1,1000}?)(?:\)|$)/gm
const rustUse = /\buse[ \t]+([a-z]\w*)::(?:[a-z_]\w*::){0,4}(\{[^{}]{1,1000}\}|[A-Za-z_]\w*)/g
const wholeImport = /\bimport\s+\*\s+as\s+([\w$]+)\s+from\s+["']([^"']+)["']/g
const required =
  /\b(?:const|let|var)\s+(\{[^{}]{1,1000}\}|[\w$]+)\s*=\s*(?:await\s+)?(?:require|import)\(\s*["']([^"']+)["']/g
const written = /\bfunction\*?[ \t]*(?:[\w$]+[ \t]*)?\(([^(){}]{1,300})\)[ \t]*\{/g
const relative = /^(?:\.|@\/|~|#|\/)/

/** Pure; linear in the lines. */
export function readFenceNames(lines: readonly PageLine[]): FenceNames {
  const own = new Set<string>()
  const sources = new Map<string, string>()
  const code = lines.filter(({ fence, place }) => fence > 0 && place === 'fence')
  let augmented = 0
  for (const { text, fence } of code) {
    if (augmentation.test(text)) augmented = fence
    // Within such a block, declarations add to types that the library has.
    for (const [, name = ''] of augmented === fence ? [] : text.matchAll(declared)) own.add(name)
    for (const [, first = '', second = ''] of text.matchAll(arrow)) own.add(first).add(second)
    for (const [, list = ''] of text.matchAll(written))
      for (const name of list.split(',')) own.add(/^[\s.]*([\w$]*)/.exec(name)?.[1] ?? '')
    const left = assigned.exec(text)?.[1]
    if (left !== undefined && !/[(,]\s*$/.test(text.slice(0, text.indexOf(left)))) own.add(left)
  }
  const whole = code.map(({ text }) => text).join('\n')
  for (const [, list = '', from = ''] of whole.matchAll(scriptImport)) addImported(list, from, { own, sources })
  for (const pattern of [wholeImport, required])
    for (const [, list = '', from = ''] of whole.matchAll(pattern)) addImported(list, from, { own, sources })
  for (const [, from = '', list = ''] of whole.matchAll(pythonImport))
    addImported(list, from.split('.')[0] ?? '', { own, sources })
  for (const [, from = '', list = ''] of whole.matchAll(rustUse)) addImported(list, from, { own, sources })
  const packages = new Set(sources.values().map(packageOf))
  const [onlySource = ''] = packages.size === 1 ? packages : []
  return {
    onlySource,
    isOwn: (name) => own.has(name) && !sources.has(name),
    sourceOf: (name) => sources.get(name) ?? '',
  }
}

function addImported(
  list: string,
  from: string,
  { own, sources }: { own: Set<string>; sources: Map<string, string> },
): void {
  for (const part of list.split(/[,{}\n]/)) {
    const [, name, alias] = /^\s*(?:type\s+)?([\w$]+)(?:(?:\s+as\s+|\s*:\s*)([\w$]+))?\s*$/.exec(part) ?? []
    if (name === undefined) continue
    if (alias !== undefined) own.add(alias)
    if (relative.test(from)) own.add(name)
    else sources.set(name, from)
  }
}

/** `@scope/name/inner` and `name/inner` are parts of a package. */
export function packageOf(source: string): string {
  return source
    .split('/')
    .slice(0, source.startsWith('@') ? 2 : 1)
    .join('/')
}
