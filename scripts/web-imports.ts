import { posix } from 'node:path'
import { readImports } from './read-imports.ts'
import type { SourceFile } from './import-direction.ts'

/** Rooms of `src/` that pages may know: what crosses HTTP, and nothing of how it is made. */
const knownRooms = ['src/contract/', 'src/client/']

/**
 * Holds the files of the dashboard to what they may import: each other, `src/contract` and `src/client`, and the packages
 * that `web/package.json` names. `web/ui` knows no page.
 *
 * @param files Paths are relative to the checkout, such as `web/ui/button.tsx`.
 * @param packages Names of packages.
 * @returns Sentences, `path:line` first; empty when all is well.
 */
export function checkWebImports(files: readonly SourceFile[], packages: readonly string[]): string[] {
  return files.flatMap(({ path, source }) =>
    readImports(path, source).specifiers.flatMap(({ specifier, line }) => {
      const fault = judge(path, specifier, packages)
      return fault === null ? [] : [`${path}:${line} imports ${specifier}: ${fault}`]
    }),
  )
}

function judge(path: string, specifier: string, packages: readonly string[]): string | null {
  if (!specifier.startsWith('.')) return judgePackage(path, specifier, packages)
  const target = posix.join(posix.dirname(path), specifier)
  if (path.startsWith('web/ui/') && !target.startsWith('web/ui/')) return 'ui/ knows nothing but itself.'
  if (target.startsWith('web/ui/') || target.startsWith('web/dashboard/')) return null
  if (knownRooms.some((room) => target.startsWith(room))) return null
  return 'pages know of src/ only contract and client.'
}

function judgePackage(path: string, specifier: string, packages: readonly string[]): string | null {
  const [first = '', second = ''] = specifier.split('/')
  const name = first.startsWith('@') ? `${first}/${second}` : first
  const isOwnTool = path.endsWith('.config.ts') || path.includes('.test.') || path.includes('/testing/')
  if (name.startsWith('node:')) return isOwnTool ? null : 'there is no Node in browsers.'
  // Types of the contract are zod's, and leave nothing in the bundle.
  if (packages.includes(name) || name === 'zod' || isOwnTool) return null
  return 'it is not among the dependencies in web/package.json.'
}
