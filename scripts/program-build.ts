import { globSync, readFileSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { Plugin } from 'vite'
import { narrowText } from './narrow-text.ts'
import { stampProgram } from './stamp-program.js'
import { ensureBuild, quietChecks, root } from './web-build.ts'

/** How the program names the files that it reads, and those that it starts as threads and processes. */
const addressPattern = /\bnew URL\(\s*'(\.[^']*)',\s*import\.meta\.url,?\s*\)/g

/** One that cannot be followed. */
const builtAddressPattern = /\bnew URL\((?!\s*'[^']*',)[^)]*import\.meta\.url/

/** Not installed, and one that reads files of its own folder. */
const externalPackages = ['pg-native', '@seriousme/openapi-schema-validator']

/** In place of the way from a bundled file to the root, until it is known where the file lies. */
const rootMark = './to-the-root/'

/**
 * Bundles `src/` with the packages that it uses into `dist/`, unless the existing bundle was built from these very sources. A
 * program from it loads a fifth of the files, and starts in two thirds of the time. Files that are started by themselves
 * keep their path below `src/`.
 */
export async function ensureProgram(): Promise<void> {
  await ensureBuild(join(root, 'dist'), stampProgram(root), bundleProgram)
}

async function bundleProgram(folder: string): Promise<void> {
  const addressed = listAddressed()
  const programs = ['src/cli/main.ts', ...addressed.filter((path) => path.endsWith('.ts'))]
  const { build } = await import('vite')
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    root,
    plugins: [moveAddresses(), keepTextNarrow()],
    // Some packages name a file for CommonJS first, from which nothing can be left out.
    resolve: { mainFields: ['module', 'main'] },
    ssr: { noExternal: true, external: externalPackages },
    build: {
      ssr: true,
      outDir: folder,
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        checks: quietChecks,
        input: Object.fromEntries(programs.map((path) => [withinSources(path).replace(/\.ts$/, ''), join(root, path)])),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          sourcemapExcludeSources: true,
          // A sixth of the text, which stays in memory. Licenses are kept.
          comments: { jsdoc: false, annotation: false },
        },
      },
    },
  })
  for (const path of addressed.filter((path) => path.endsWith('.mjs'))) {
    const copy = join(folder, withinSources(path))
    await mkdir(dirname(copy), { recursive: true })
    await copyFile(join(root, path), copy)
  }
}

/**
 * The files of `src/` that its code names by address, relative to the root.
 *
 * @throws {Error} if an address is put together.
 */
function listAddressed(): string[] {
  const files = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
  const targets = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    if (builtAddressPattern.test(text)) throw new Error(`${file}: write the address of a file as one string.`)
    return [...text.matchAll(addressPattern)].map(([, path = '']) => resolveAddress(join(root, file), path))
  })
  return [...new Set(targets.filter((path) => /^src\/.*\.m?ts$|^src\/.*\.mjs$/.test(path)))].sort()
}

/** @returns Relative to the root. */
function resolveAddress(file: string, path: string): string {
  return relative(root, resolve(dirname(file), path)) + (path.endsWith('/') ? '/' : '')
}

const withinSources = (path: string): string => path.slice('src/'.length)

/** Addresses are relative to a file, and lead elsewhere from where the bundle has its text. */
function moveAddresses(): Plugin {
  return {
    name: 'move-addresses',
    enforce: 'pre',
    transform: {
      filter: { code: 'import.meta.url' },
      // Lines stay, which is all that the source map is for.
      handler: (code, id) => ({
        code: code.replace(addressPattern, (_, path: string) => markAddress(id, path)),
        map: null,
      }),
    },
    renderChunk: (code, { fileName }) => {
      const up = '../'.repeat(fileName.split('/').length)
      return code.includes(rootMark) ? { code: code.replaceAll(rootMark, up), map: null } : null
    },
  }
}

function keepTextNarrow(): Plugin {
  return {
    name: 'keep-text-narrow',
    // Dead code is left out after `renderChunk`, and printing what remains writes the characters again. Lines stay.
    generateBundle(_, bundle) {
      for (const output of Object.values(bundle)) if (output.type === 'chunk') output.code = narrowText(output.code)
    },
  }
}

function markAddress(file: string, path: string): string {
  const target = resolveAddress(file, path)
  const built = target.startsWith('src/') ? `dist/${withinSources(target).replace(/\.ts$/, '.js')}` : target
  return `new URL('${rootMark}${built}', import.meta.url)`
}
