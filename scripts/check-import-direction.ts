import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { checkImportDirection, type SourceFile } from './import-direction.ts'
import { checkWebImports } from './web-imports.ts'

const root = resolve(import.meta.dirname, '..')
const files = readSources('src')
const pages = ['web/dashboard', 'web/ui'].flatMap((folder) =>
  readSources(folder).map(({ path, source }) => ({ path: `${folder}/${path}`, source })),
)
// npm's own file, whose dependencies are names and ranges.
const { dependencies } = JSON.parse(readFileSync(join(root, 'web/package.json'), 'utf8')) as { dependencies: object }

const faults = [...checkImportDirection(files), ...checkWebImports(pages, Object.keys(dependencies))]
for (const fault of faults) console.error(fault)
console.log(`${files.length + pages.length} files, ${faults.length} imports in a wrong direction.`)
process.exitCode = faults.length === 0 ? 0 : 1

/** Paths are relative to the folder. */
function readSources(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('dist/'))
    .map((path) => ({ path, source: readFileSync(join(root, folder, path), 'utf8') }))
}
