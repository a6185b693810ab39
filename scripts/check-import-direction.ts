import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { checkImportDirection, type SourceFile } from './import-direction.ts'
import { checkWebImports } from './web-imports.ts'

const root = resolve(import.meta.dirname, '..')
const files = readSources('src')
const pages = ['web/dashboard', 'web/citations', 'web/ui', 'web/words', 'web/widget'].flatMap((folder) =>
  readSources(folder, true),
)
const client = readSources('packages/docent-client/src', true)

const faults = [
  ...checkImportDirection(files),
  ...checkWebImports(pages, listPackages('web', 'dependencies')),
  ...checkWebImports(client, listPackages('packages/docent-client', 'peerDependencies')),
]
for (const fault of faults) console.error(fault)
console.log(`${files.length + pages.length + client.length} files, ${faults.length} imports in a wrong direction.`)
process.exitCode = faults.length === 0 ? 0 : 1

function listPackages(folder: string, field: 'dependencies' | 'peerDependencies'): string[] {
  // npm's own file, whose fields are names and ranges.
  const file = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Record<typeof field, object>
  return Object.keys(file[field])
}

/** Paths are relative to the folder, or to the checkout. */
function readSources(folder: string, isOfCheckout = false): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('dist/'))
    .map((path) => ({
      path: isOfCheckout ? `${folder}/${path}` : path,
      source: readFileSync(join(root, folder, path), 'utf8'),
    }))
}
