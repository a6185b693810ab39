// Builds the package for front ends of others: packages/docent-client/dist

import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'vite'

const root = resolve(import.meta.dirname, '..')
const folder = join(root, 'packages/docent-client')
const dist = join(folder, 'dist')

rmSync(dist, { recursive: true, force: true })
execFileSync('tsc', ['-p', folder], { cwd: root, stdio: 'inherit' })
for (const file of globSync(join(dist, '**/*.d.ts'))) nameDeclarations(file)
await build({
  configFile: false,
  logLevel: 'warn',
  root: folder,
  build: {
    lib: { entry: 'src/docent-client.ts', formats: ['es'], fileName: 'docent-client' },
    // The syntax that the releases of the AI SDK need too.
    target: 'es2022',
    emptyOutDir: false,
    // Applications minify all of their code at once.
    minify: false,
    rolldownOptions: { external: ['ai'] },
  },
})
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))

/** Compilers before TypeScript 5.7 find no declarations by the names of sources. */
function nameDeclarations(file: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(from '\.\/[\w/-]+)\.ts'/g, "$1.js'"))
}
