import { describe, expect, it } from 'vitest'
import { readTestSite } from '../../../../test/support/read-test-site.ts'

const config = `
  import { defineConfig, type DefaultTheme } from 'vitepress'
  import { guide } from './sidebar'
  export default defineConfig({
    title: 'Kiosk',
    base: '/kiosk/',
    srcExclude: ['**/drafts/**'],
    rewrites: { 'en/:rest*': ':rest*' },
    locales: { root: { label: 'English', lang: 'en-US' }, de: { label: 'Deutsch' } },
    themeConfig: { sidebar: { '/guide/': { base: '/guide/', items: guide() } } },
  })`

const sidebar = `
  import type { DefaultTheme } from 'vitepress'
  const start: DefaultTheme.SidebarItem = { text: 'Start', link: 'start' }
  export function guide(): DefaultTheme.SidebarItem[] {
    return [{ text: 'Guide', items: [start, { text: 'Gone', link: 'gone' }, ...computed()] }]
  }
  function computed() { return window.items }`

const files = {
  'docs/.vitepress/config.mts': config,
  'docs/.vitepress/sidebar.ts': sidebar,
  'docs/en/index.md':
    '---\nlayout: home\nhero:\n  name: Kiosk\n  tagline: Prints\nfeatures:\n  - title: Fast\n    details: Very\n---\n',
  'docs/en/guide/start.md':
    '# Start {#begin}\n\nSee [more](./more), [file](../api/index.md#x) and [root](/guide/more.html).',
  'docs/en/guide/more.md': '# More',
  'docs/en/api/index.md': '---\nsearch: false\n---\n# API {#x}',
  'docs/en/api/[name].md': '# Generated',
  'docs/en/drafts/secret.md': '# Secret',
  'docs/de/config.ts': "export default { themeConfig: { sidebar: [{ text: 'Anfang', link: '/de/guide/start' }] } }",
  'docs/de/guide/start.md': '# Anfang',
  'docs/snippets/code.js': '// #region main\n  run()\n// #endregion main\n',
  'docs/parts/shared.md': '---\ntitle: x\n---\nOne\nTwo',
}

describe('readSite of a VitePress project', () => {
  it('leaves slots and events in code, and words that only look like tags', async () => {
    const words = 'Use `<template #item>` and `<Box @click="go()">`. Versions <b3 need #42 first.'
    const site = await readTestSite({
      'docs/.vitepress/config.ts': 'export default {}',
      'docs/index.md': `# Home\n\n${words}`,
    })

    expect(site.pages[0]?.markdown).toContain(words)
  })

  it('reads tags with events and slots of Vue as tags', async () => {
    const { pages } = await readTestSite({
      'docs/.vitepress/config.js': 'export default {}',
      'docs/index.md':
        '# Home\n\n<template #slot><p>Slot words.</p></template>\n\nA <Box :n="3" @click="go()" @x.once="a > b">inner</Box> word at a@b.example #1.',
    })

    expect(pages[0]?.markdown).toContain('A inner word at a@b.example #1.')
    expect(pages[0]?.markdown).not.toContain('template')
  })

  it('follows rewrites, base, languages and the sidebar, which may come from functions and other files', async () => {
    const site = await readTestSite(files)

    expect(site).toMatchObject({ format: 'vitepress', name: 'Kiosk', defaultLanguage: 'en' })
    expect(site.pages.map(({ path, title, section, language }) => [path, title, section, language])).toEqual([
      ['/kiosk', 'Kiosk', [], 'en'],
      ['/kiosk/guide/start', 'Start', ['Guide'], 'en'],
      ['/kiosk/de/guide/start', 'Anfang', [], 'de'],
      ['/kiosk/api', 'API', [], 'en'],
      ['/kiosk/guide/more', 'More', [], 'en'],
      ['/kiosk/parts/shared', 'x', [], 'en'],
    ])
  })

  it('reports what is computed, what is generated and what is missing', async () => {
    const site = await readTestSite(files)

    expect(site.findings.map(({ file, line, rule }) => [file, line, rule])).toEqual([
      ['docs/en/api/[name].md', null, 'page-generated'],
      ['docs/.vitepress/sidebar.ts', 7, 'config-not-literal'],
      ['', null, 'navigation-page-missing'],
    ])
  })

  it('makes links open the right page and reads the landing page', async () => {
    const site = await readTestSite(files)

    expect(site.pages[0]?.markdown).toBe('Kiosk\n\nPrints\n\n**Fast**\n\nVery')
    expect(site.pages[1]?.markdown).toBe(
      '# Start {#begin}\n\nSee [more](/kiosk/guide/more), [file](/kiosk/api#x) and [root](/kiosk/guide/more).'.replace(
        /^# .*\n\n/,
        '',
      ),
    )
    expect(site.pages.find(({ path }) => path === '/kiosk/api')?.isSearchable).toBe(false)
  })

  it('reads containers, code groups and includes, and leaves code alone', async () => {
    const body = [
      '::: tip Do this\n- one\n:::',
      '::: warning\nText.\n:::',
      '::: code-group\n```sh:no-line-numbers [npm]\nnpm i // [!code ++]\n```\n```sh [pnpm]\npnpm i\n```\n:::',
      '<<< @/snippets/code.js#main{1 ts} [run]',
      '<!--@include: @/parts/shared.md{2,}-->',
      '```\n<<< @/snippets/code.js\n::: tip\n```',
      '<script setup>\nimport X from "./x.vue"\n</script>',
      '> [!NOTE] Hear\n> Text.',
    ].join('\n\n')
    const site = await readTestSite({ ...files, 'docs/en/guide/more.md': `# More\n\n${body}` })

    expect(site.pages.find(({ path }) => path === '/kiosk/guide/more')?.markdown).toBe(
      [
        '**Tip: Do this**\n\n- one',
        '**Warning:** Text.',
        '```sh npm\nnpm i\n```',
        '```sh pnpm\npnpm i\n```',
        '```ts run\nrun()\n```',
        'Two',
        '```\n<<< @/snippets/code.js\n::: tip\n```',
        '> **Note: Hear**\n> Text.',
      ].join('\n\n'),
    )
  })

  it('reports includes that are missing or contain themselves', async () => {
    const site = await readTestSite({
      'docs/.vitepress/config.ts': 'export default {}',
      'docs/a.md': 'A\n\n<!--@include: ./b.md-->\n\n<<< ./none.js',
      'docs/b.md': 'B\n\n<!--@include: ./a.md-->\n\n<!--@include: ../../etc/passwd-->',
    })

    expect(site.pages[0]?.markdown).toBe('A\n\nB')
    expect(new Set(site.findings.map(({ rule }) => rule))).toEqual(new Set(['snippet-cycle', 'snippet-missing']))
  })
})
