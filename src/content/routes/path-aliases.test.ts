import { expect, it } from 'vitest'
import { readTestSite } from '../../../test/support/read-test-site.ts'

const astro = {
  'web/astro.config.mjs': `export default { integrations: [starlight({ title: 'x' })] }`,
  'web/tsconfig.json': `{ // Comments are fine.
    "extends": ["astro/tsconfigs/strict", "../tsconfig.base"],
    "include": [],
  }`,
  'tsconfig.base.json': {
    compilerOptions: {
      baseUrl: '.',
      paths: { '@parts/*': ['web/src/parts/*'], '@parts/own/*': ['web/own/*'], '~': ['web/home.md'] },
    },
  },
  'web/src/parts/install.mdx': 'Run the installer.',
  'web/own/install.mdx': 'Run your own.',
  'web/home.md': 'Home',
  'web/src/parts/run.js': 'run()\n',
}

it('reads partials and code that pages import by aliases of the project', async () => {
  const site = await readTestSite({
    ...astro,
    'web/src/content/docs/a.mdx': [
      `import Install from '@parts/install.mdx'\nimport Own from '@parts/own/install.mdx'\nimport { Content as Home } from '~'`,
      `import { Card } from '@astrojs/starlight/components'\nimport code from '@parts/run.js?raw'\nimport same from '!!raw-loader!../../parts/run.js'`,
      '<Install />\n\n<Own />\n\n<Home />\n\n<Code code={code} lang="js" />\n\nor\n\n<CodeBlock language="js">{same}</CodeBlock>',
    ].join('\n\n'),
  })

  const code = '```js\nrun()\n```'
  expect(site.pages[0]?.markdown).toBe(`Run the installer.\n\nRun your own.\n\nHome\n\n${code}\n\nor\n\n${code}`)
  expect(site.findings).toEqual([])
})

it('reports imported documentation and code that the tree lacks, and nothing for packages', async () => {
  const site = await readTestSite({
    ...astro,
    'web/src/content/docs/a.mdx': `import A from '@parts/gone.mdx'\nimport b from '@parts/../../../../etc/passwd?raw'\nimport C from 'some-package'\nimport D from '@parts/Widget.astro'\n\nText`,
  })

  expect(site.findings.map(({ rule, message }) => [rule, message.split(' ')[2]])).toEqual([
    ['snippet-missing', '@parts/gone.mdx'],
    ['snippet-missing', '@parts/../../../../etc/passwd?raw'],
  ])
})
