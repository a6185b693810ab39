// Builds the package for front ends of others, in its own folder or another one: node scripts/build-client.ts [folder]

import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'vite'

const root = resolve(import.meta.dirname, '..')
const source = join(root, 'packages/docent-client')
const folder = resolve(process.argv[2] ?? source)
const dist = join(folder, 'dist')

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist, { recursive: true })
execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', source, '--outDir', dist], { cwd: root, stdio: 'inherit' })
for (const file of globSync(join(dist, '**/*.d.ts'))) nameDeclarations(file)
await build({
  configFile: false,
  logLevel: 'warn',
  root: source,
  build: {
    lib: { entry: 'src/docent-client.ts', formats: ['es'], fileName: 'docent-client' },
    outDir: dist,
    // The syntax that the releases of the AI SDK need too.
    target: 'es2022',
    emptyOutDir: false,
    // Applications minify all of their code at once.
    minify: false,
    rolldownOptions: { external: ['ai'] },
  },
})
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
if (folder !== source)
  for (const name of ['package.json', 'README.md']) copyFileSync(join(source, name), join(folder, name))

/** Compilers before TypeScript 5.7 find no declarations by the names of sources. */
function nameDeclarations(file: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(from '\.\/[\w/-]+)\.ts'/g, "$1.js'"))
}
