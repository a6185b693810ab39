import { expect, it } from 'vitest'
import { listFirstFiles } from './dashboard-size.ts'

const manifest = {
  'index.html': { file: 'assets/index.js', imports: ['_shared.js'] },
  'dashboard.tsx': { file: 'assets/dashboard.js', imports: ['_shared.js'] },
  'style.css': { file: 'assets/style.css' },
  '_shared.js': { file: 'assets/shared.js', imports: ['_runtime.js'] },
  '_runtime.js': { file: 'assets/runtime.js' },
  'pages/keys.tsx': { file: 'assets/keys.js', imports: ['index.html', '_shared.js'], css: ['assets/keys.css'] },
  'pages/jobs.tsx': { file: 'assets/jobs.js' },
}

it('counts each file of a page once, and no other page', () => {
  expect(listFirstFiles(manifest, 'pages/keys.tsx').sort()).toEqual([
    'assets/dashboard.js',
    'assets/index.js',
    'assets/keys.css',
    'assets/keys.js',
    'assets/runtime.js',
    'assets/shared.js',
    'assets/style.css',
  ])
})

it('says which page is gone', () => {
  expect(() => listFirstFiles(manifest, 'pages/gone.tsx')).toThrow('pages/gone.tsx')
})
