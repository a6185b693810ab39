import { posix } from 'node:path'
import { readImports } from './read-imports.ts'
import type { SourceFile } from './import-direction.ts'

/** What pages may know besides each other: what crosses HTTP, and the client package, which shows answers too. */
const knownRooms = ['src/contract/', 'src/client/', 'packages/docent-client/src/']

const pageFolders = ['web/ui/', 'web/citations/', 'web/words/', 'web/dashboard/']

/**
 * Holds the files of the dashboard, the widget and the client package to what they may import: the dashboard itself, `src/contract`,
 * `src/client` and the client package, which imports nothing but itself; and the packages that their `package.json` names.
 * `web/ui`, `web/citations` and `web/words` know no page.
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
  if (path.startsWith('packages/')) return isOfClient(target) ? null : 'the client package knows only itself.'
  if (path.startsWith('web/widget/')) return isOfWidget(target) ? null : 'the widget stays small: it knows no page.'
  if (path.startsWith('web/words/') && target.startsWith('web/') && !target.startsWith('web/words/'))
    return 'words/ knows no page.'
  if (path.startsWith('web/ui/') && !/^web\/(?:ui|words)\//.test(target))
    return 'ui/ knows nothing but itself and words/.'
  if (path.startsWith('web/citations/') && target.startsWith('web/dashboard/')) return 'citations/ knows no page.'
  if (pageFolders.some((folder) => target.startsWith(folder))) return null
  if (knownRooms.some((room) => target.startsWith(room))) return null
  return 'pages know of src/ only contract and client.'
}

/** What the panel shares with the dashboard contains no component; of the contract it has only types. */
function isOfWidget(target: string): boolean {
  const known = [
    'web/widget/',
    'web/citations/',
    'web/words/fill-text.ts',
    'packages/docent-client/src/',
    'src/contract/',
  ]
  return (
    known.some((folder) => target.startsWith(folder)) &&
    !(target.startsWith('web/citations/') && target.endsWith('.tsx'))
  )
}

/** The package must not need what strangers do not install. */
function isOfClient(target: string): boolean {
  return target.startsWith('packages/docent-client/src/')
}

function judgePackage(path: string, specifier: string, packages: readonly string[]): string | null {
  const [first = '', second = ''] = specifier.split('/')
  const name = first.startsWith('@') ? `${first}/${second}` : first
  const isOwnTool = path.endsWith('.config.ts') || path.includes('.test.') || path.includes('/testing/')
  if (name.startsWith('node:')) return isOwnTool ? null : 'there is no Node in browsers.'
  // Types of the contract are zod's, and leave nothing in the bundle.
  if (packages.includes(name) || isOwnTool || (name === 'zod' && path.startsWith('web/'))) return null
  return 'it is not among the dependencies in package.json.'
}
