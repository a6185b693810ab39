import type { IncludeDirective, IncludeSyntax } from '../../flatten/expand-includes.ts'
import { inFolder } from '../../routes/site-roots.ts'
import { resolveSourcePath } from '../../trees/source-path.ts'

const include = /^([ \t]*)-{1,8}8<-{1,8}[ \t]+(?:"([^"\n]{1,300})"|'([^'\n]{1,300})')[ \t]*$/

/**
 * `--8<-- "file.md:part"` includes a whole file, a named section or a range of lines, in code as well.
 *
 * @param folders Searched in this order.
 */
export function mkdocsIncludes(paths: ReadonlySet<string>, folders: readonly string[]): IncludeSyntax {
  return {
    isReadInCode: true,
    read: readInclude,
    resolve: (_fromFile, { reference }) => {
      const files = folders.flatMap((folder) => resolveSourcePath('', inFolder(folder, reference)) ?? [])
      return files.find((file) => paths.has(file)) ?? null
    },
  }
}

function readInclude(line: string): IncludeDirective | null {
  const [match, indent = '', double, single] = include.exec(line) ?? []
  if (match === undefined) return null
  const [, reference = '', part = ''] = /^(.+?)((?::[\w-]*){0,2})$/.exec(double ?? single ?? '') ?? []
  const [first = '', last = ''] = part.slice(1).split(':')
  const isRange = part !== '' && /^\d*$/.test(first) && /^\d*$/.test(last)
  const lines = [first === '' ? null : Number(first), last === '' ? null : Number(last)] as const
  return {
    reference,
    isFromProject: true,
    region: isRange ? '' : first,
    lines: isRange ? lines : null,
    fence: null,
    indent,
  }
}
