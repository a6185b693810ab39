import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { checkImportDirection } from './import-direction.ts'

const source = resolve(import.meta.dirname, '..', 'src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path: path.split(sep).join('/'), source: readFileSync(join(source, path), 'utf8') }))

const faults = checkImportDirection(files)
for (const fault of faults) console.error(fault)
console.log(`${files.length} files, ${faults.length} imports in a wrong direction.`)
process.exitCode = faults.length === 0 ? 0 : 1
