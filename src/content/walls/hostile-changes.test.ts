import { expect, it } from 'vitest'
import { readChangedFiles } from '../checks/changed-files.ts'
import { readStateBefore, type SiteState } from '../checks/site-state.ts'
import type { FileTree } from '../trees/file-tree.ts'
import { createMemoryTree } from '../trees/memory-tree.ts'
import { checkWalls } from './check-walls.ts'
import { listElementCode } from './element-code.ts'
import { threadCpuMs } from '../../../test/support/thread-cpu-ms.ts'

type Files = Readonly<Record<string, string>>
const { signal } = new AbortController()

/** One small site of each format. */
const sites = {
  mintlify: {
    'docs.json': JSON.stringify({ name: 'Site', navigation: { pages: ['index', 'a'] }, redirects: [] }),
    'index.mdx': '# Home\n\n<Chart values={load()} />\n\n{process.env.OLD}\n',
    'a.mdx': '---\ntitle: A\n---\n\nText.\n',
    'formulas.mdx': 'Euler: $e^{i\\pi}$ and $\\frac{1}{2}$.\n',
    'snippets/note.mdx': 'A note.\n',
  },
  mint: {
    'mint.json': JSON.stringify({ name: 'Site', navigation: [{ group: 'G', pages: ['a'] }], tabs: [], anchors: [] }),
    'a.mdx': '# A\n',
  },
  docusaurus: {
    'docusaurus.config.js': 'export default { presets: [["classic", {}]] }\n',
    'docs/index.md': '# Home\n',
    'docs/a.md': '# A\n\nText.\n',
  },
  vitepress: { '.vitepress/config.ts': 'export default {}\n', 'index.md': '# Home\n', 'a.md': '# A\n\nText.\n' },
  mkdocs: {
    'mkdocs.yml': 'site_name: S\nplugins: [macros]\nmarkdown_extensions: [pymdownx.snippets]\nnav: [a.md]\n',
    'docs/a.md': '# A\n\nText.\n',
  },
  plainMkdocs: { 'mkdocs.yml': 'site_name: S\nnav: [a.md]\n', 'docs/a.md': '# A\n\nText.\n' },
  starlight: {
    'astro.config.mjs': 'export default {}\n',
    'src/content/docs/index.mdx': '# Home\n',
    'src/content/docs/a.md': '# A\n',
    'src/content/docs/b.mdx': '# B\n',
  },
  fumadocs: {
    'source.config.ts': 'export const docs = 1\n',
    'content/docs/meta.json': '{"pages":["a"]}',
    'content/docs/a.mdx': '# A\n',
  },
  nextra: {
    'next.config.mjs': 'import nextra from "nextra"\n',
    'pages/_meta.json': '{"index":"Home"}',
    'pages/index.mdx': '# Home\n',
    'pages/a.mdx': '# A\n',
  },
  markdown: { 'README.md': '# Home\n', 'a.md': '# A\n\nText.\n' },
  jekyll: { '_config.yml': 'title: S\n', 'README.md': '# Home\n', 'a.md': '# A\n\nText.\n' },
  hugo: { 'hugo.toml': 'title = "S"\n', 'README.md': '# Home\n', 'a.md': '# A\n\nText.\n' },
  mdbook: { 'book.toml': '[book]\n', 'README.md': '# Home\n', 'a.md': '# A\n\nText.\n' },
  quarto: { '_quarto.yml': 'project: {}\n', 'README.md': '# Home\n', 'a.md': '# A\n\nText.\n' },
  docsify: { '_sidebar.md': '- [A](a.md)\n', 'README.md': '# Home\n', 'a.md': '# A\n\nText.\n' },
} satisfies Record<string, Files>

type Format = keyof typeof sites
/** The page that the cases of a format change. */
const pages: Record<Format, string> = {
  mintlify: 'a.mdx',
  mint: 'a.mdx',
  docusaurus: 'docs/a.md',
  vitepress: 'a.md',
  mkdocs: 'docs/a.md',
  plainMkdocs: 'docs/a.md',
  starlight: 'src/content/docs/a.md',
  fumadocs: 'content/docs/a.mdx',
  nextra: 'pages/a.mdx',
  markdown: 'a.md',
  jekyll: 'a.md',
  hugo: 'a.md',
  mdbook: 'a.md',
  quarto: 'a.md',
  docsify: 'a.md',
}

const states = new Map<Format, Promise<SiteState>>()
const trees = new Map(Object.entries(sites).map(([format, files]) => [format, createMemoryTree(files)]))

type Change = Readonly<Record<string, string | null>>

async function refusals(format: Format, change: Change): Promise<string[]> {
  const before = trees.get(format) ?? createMemoryTree(sites[format])
  const state = states.get(format) ?? readStateBefore(before, signal)
  states.set(format, state)
  return listRefusals({ files: sites[format], before, state, change })
}

function refusalsOf(files: Files, change: Change): Promise<string[]> {
  const before = createMemoryTree(files)
  return listRefusals({ files, before, state: readStateBefore(before, signal), change })
}

interface Refused {
  files: Files
  before: FileTree
  state: Promise<SiteState>
  change: Change
}

async function listRefusals({ files, before, state, change }: Refused): Promise<string[]> {
  const kept = Object.entries({ ...files, ...change }).flatMap(([path, text]) => (text === null ? [] : [[path, text]]))
  const after = createMemoryTree(Object.fromEntries(kept) as Files)
  const changed = await readChangedFiles({ before, after, changedPaths: Object.keys(change) }, signal)
  const { outline } = await state
  const problems = await checkWalls({ outline, files: changed, renamed: new Map(), allowed: [] }, signal)
  return problems.map(({ rule }) => rule)
}

const cases = (table: Partial<Record<Format, readonly string[]>>) =>
  Object.entries(table).flatMap(([format, texts]) => texts.map((text) => [format as Format, text] as const))

const inMdx = [
  'import fs from "node:fs"',
  'import x from "https://evil.example/x.js"',
  'import "./side-effect.js"',
  'export const a = 1',
  'export { default } from "./x.js"',
  'export const getStaticProps = async () => ({ props: {} })',
  'export async function getServerSideProps() {}',
  '{process.env.SECRET}',
  '{await fetch("https://evil.example")}',
  '{globalThis["eval"]("1")}',
  '{`a${b}`}',
  '{(() => { while (true); })()}',
  '{new Function("return 1")()}',
  '{...props}',
  '{x = 1}',
  '{a ? b : c}',
  '{/a/.source}',
  '<Card {...{ onClick: 1 }} />',
  '<Card title={secret} />',
  '<a onClick={() => 1}>x</a>',
  '<img src="/a.png" ONERROR="alert(1)" />',
  '<details ontoggle="alert(1)" open>x</details>',
  '<script>{`alert(1)`}</script>',
  '<script src="/x.js"></script>',
  '<style>{`body { display: none }`}</style>',
  '<iframe src="https://evil.example"></iframe>',
  '<embed src="/x.swf" />',
  '<object data="/x.html" />',
  '<form action="https://evil.example"><b>x</b></form>',
  '<button formAction="javascript:alert(1)">x</button>',
  '<meta httpEquiv="refresh" content="0;url=https://evil.example" />',
  '<base href="https://evil.example/" />',
  '<link rel="stylesheet" href="https://evil.example/x.css" />',
  '<div dangerouslySetInnerHTML={{ __html: "<b>" }} />',
  '<div srcDoc="<b>" />',
  '<svg><script>alert(1)</script></svg>',
  '<svg><animate onbegin="alert(1)" /></svg>',
  '<svg><use href="https://evil.example/x.svg#a" /></svg>',
  '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href={"java\\u0073cript:alert(1)"}>x</a>',
  '<a href={`javascript:alert(1)`}>x</a>',
  '<Card href=" javascript:alert(1)">x</Card>',
  '<Card href="data:text/html,<script>1</script>">x</Card>',
  '<a href="vbscript:x">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](<java\tscript:alert(1)>)',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](https://xn--pple-43d.com/login)',
  '[x](https://аcme.example/login)',
  '[x](//ассе.example)',
  '<a href="https://ok.example" attributionsrc="https://evil.example">x</a>',
  '[x]: vbscript:x\n\n[x]',
  '![x](javascript:alert(1))',
  '<div style={{ backgroundImage: "url(https://evil.example)" }} />',
  '<div style={{ position: "fixed", inset: 0 }} />',
  `<p style={{ backgroundImage: "image-set('//evil.example/x' 1x)" }}>x</p>`,
  `<p style="background: -webkit-image-set('//evil.example/x' 1x)">x</p>`,
  `<p style="background: src('//evil.example/x')">x</p>`,
  '<div style="background:url(https://evil.example)" />',
  '<Unknown />',
  '<React.Fragment />',
  '<window.Foo />',
  '<Tabs items={[load()]} />',
  '<Card icon={<svg onLoad={x} />} />',
  '- item\n  {evil()}',
  '> {evil()}',
  '| a |\n| - |\n| {evil()} |',
  '**{evil()}**',
  '[{evil()}](/a)',
  '# {evil()}',
  '{/* a */ evil()}',
  '{\nevil()\n}',
  '```\n```\n{evil()}',
  '````\n```\n````\n\n{evil()}',
  '<Card title="a">{evil()}</Card>',
  '<Snippet file="../../../etc/passwd" />',
  'a\u202Eb',
  'zero\u200Bwidth',
  '---\nopenapi: ../../secret.json GET /a\n---',
  '---\nopenapi: https://evil.example/x.json GET /a\n---',
  'tag\u{E0041}\u{E0042}',
  'filler\u3164and\uFFF9notes',
  'zero\u200Dwidth joiner',
  'data\uFE00\uFE01in selectors',
  'mark\u061Cof Arabic',
  '<a href="https://fine.example" ping="https://evil.example">x</a>',
  '<div className="fixed inset-0">Sign in</div>',
  '<p style={{ display: "none" }}>For agents.</p>',
  '<p hidden>For agents.</p>',
  '<p className="sr-only">For agents.</p>',
  '<p className="mt-4 hidden">For agents.</p>',
  '<p style={{ opacity: 0 }}>For agents.</p>',
  '<p style={{ fontSize: 0 }}>For agents.</p>',
  '<p style={{ textIndent: "-9999px" }}>For agents.</p>',
  '<img src="/a.png" style={{ background: `url(//evil.example)` }} />',
  '<a href={`data:text/html,x`}>x</a>',
  'Text.[^1]\n\n[^1]: {evil()}',
  'Text.[^a]\n\n> [^a]: [x](javascript:y)',
  'Text.[^1]\n\n[^1]:\n    <Card title={evil} />',
  'Text.[^1]\n\n[^1]: ```js\n{evil()}\n```',
  '```mermaid\ngraph TD\nA-->B\nclick A "javascript:alert(1)"\n```',
  '```mermaid\n%%{init: {"securityLevel": "loose"}}%%\n```',
  '$$\n\\href{javascript:x}{y}\n$$',
  String.raw`$\url{javascript:x}$`,
  '<p style={{ transform: "scale(0)" }}>For agents.</p>',
  '<p style={{ left: -9999, position: "absolute" }}>For agents.</p>',
  '<APIPage document="https://evil.example/x.json" />',
  '<CodeBlock src="file:///etc/passwd" />',
  ...[
    'WebkitTextFillColor: "transparent"',
    'mask: "linear-gradient(transparent, transparent)"',
    'position: "absolute", right: "5000px"',
    'transform: "translateX(-9999px)"',
    'clipPath: "polygon(0 0, 0 0, 0 0)"',
    'letterSpacing: "-1em"',
    '"display": `none`',
    'contentVisibility: "hidden"',
    'color: "var(--page-background)"',
    'margin: "0 0 0 -9999px"',
  ].map((style) => `<p style={{ ${style} }}>For agents.</p>`),
  ...[
    '[display:none]',
    'text-white bg-white',
    'visually-hidden',
    'd-none',
    'max-w-0',
    '[font-size:0]',
    '-translate-x-full',
  ].map((name) => `<p className="${name}">For agents.</p>`),
  '<div popover="auto">For agents.</div>',
  '<dialog>For agents.</dialog>',
  '<Frame caption="[x](javascript:y)">x</Frame>',
  '[x](https://docs.acme.com@evil.example/login)',
  '[x](https://ɡoogle.com)',
  '[x](ms-msdt:/id)',
  '[x](jar:https://evil.example!/)',
] as const

const inFrontmatter = [
  '---\nhead:\n  - script: alert(1)\n---\n',
  '---\nlayout: ../../evil.astro\n---\n',
  '---\ntemplate: "{{ x }}"\n---\n',
  '---\nscript: alert(1)\n---\n',
  '---\ndescription: "[x](javascript:y)"\n---\n',
  '---\nhooks: [x.py]\n---\n',
  '---\ntitle: <img src=x onerror=alert(1)>\n---\n',
  '---\ntitle: !!python/object/apply:os.system ["id"]\n---\n',
  '---\nsidebar:\n  attrs:\n    onclick: x()\n---\n',
  '---\nslug: https://evil.example\n---\n',
  '---\ncustom_edit_url: https://evil.example/edit\n---\n',
  '---\neditUrl: https://evil.example/edit\n---\n',
  '---\ncanonical: https://evil.example/\n---\n',
  '---\nhtml_meta:\n  "http-equiv=refresh": "0; url=//evil.example"\n---\n',
  '---\nkernelspec:\n  name: python3\n---\n',
  '---\nredirect_to: //evil.example\n---\n',
  '---\npermalink: ../../x\n---\n',
  '---\naliases:\n  - /ok\n  - https://evil.example/x\n---\n',
  '---js\nmodule.exports = 1\n---\n',
  '+++\nhead = "<script>"\n+++\n',
]

const inHtml = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<img src=x onerror=alert(1)>',
  '<img/src="x"/onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<body onload=alert(1)>',
  '<iframe srcdoc="<script>1</script>">',
  '<a href="jav&#x09;ascript:alert(1)">x</a>',
  '<a href=" &#14; javascript:alert(1)">x</a>',
  '<form><input formaction="javascript:x"></form>',
  '<meta http-equiv="refresh" content="0; url=https://evil.example">',
  '<div style="background: url(https://evil.example)">',
  '<div style="position:fixed;inset:0">',
  '<object data="x">',
  '<math href="javascript:alert(1)">x</math>',
  '<template><script>1</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=x>"></noscript>',
  '<!-- --!><script>1</script>-->',
  '[x](javascript:alert(1))',
  '<javascript:alert(1)>',
  '![x](data:text/html,1)',
  ...[
    'font-size:0.1px',
    'opacity:-1',
    'opacity: .001',
    'filter:opacity(5%)',
    'zoom:0.01',
    'font:0/0 a',
    'font: bold 1px serif',
    'transform:scale(0.05)',
    'color:#fff;background:#ffffff',
    'background-color: white; color: #FFF',
    'color:#11223300',
    'color:hsl(0 0% 0% / 0)',
    'width:1px;height:1px;overflow:hidden',
    'overflow:clip;height:0',
    'line-height:0;overflow:hidden',
  ].map((style) => `<p style="${style}">Text</p>`),
  ...[
    'max-width:0;overflow:hidden',
    'filter:blur(50px)',
    'rotate:y 90deg',
    'height:1px;overflow:auto',
    'margin-top:-9999px',
    'padding-left: 9999px',
    'translate:-9999px',
    'text-indent:-99em',
    '--ink:transparent',
  ].map((style) => `<p style="${style}">Text</p>`),
  ...['hidden print:block', 'opacity-[0.01]', 'text-[1px]', 'max-h-0'].map((name) => `<p class="${name}">Text</p>`),
  '```{code-cell} python\nimport os\n```',
  '```{raw} html\n<p>\n```',
  '```pyodide\nimport os\n```',
  '```{=html}\n<p>\n```',
  'Text\n{ x hidden }',
  '**Text**{ x hidden } more',
  'Text {x hidden}',
  '# T { .a b hidden }',
  '{: x hidden }\nText',
  'Text {a} *b*{x hidden} more {c}',
  'Text\n{: .hidden }',
  '**Text**{.sr-only}',
  'Text {.a.visually-hidden}',
  'Text {popover}',
]

it.each(
  cases({
    mintlify: [
      ...inMdx,
      ...inFrontmatter.slice(0, 4),
      '<Visibility for="agents">Obey.</Visibility>',
      'Math $x$ and ${evil()}$.',
      'Math $x_{process.env.X}$.',
      'Math $<img src=x onerror=y>$.',
      '$$\n{evil()}\n$$',
      'The sum $a$ {evil()} and $b$',
      'Math $a\\{evil()}$.',
      'Math $a_{evil/**/()}$ and $b_{evil?.()}$.',
      'Math $a_{(evil)()}$.',
      'Math $a_{\\u0065vil(x)}$.',
      '$$\na_{evil\n(x)}\n$$',
    ],
    mint: inMdx.slice(0, 12),
    fumadocs: [
      ...inMdx.slice(0, 12),
      '<include>../../../.env</include>',
      '<include lang="ts">../lib/secret.ts</include>',
      '<include cwd>package.json</include>',
      '::include[../../.env]',
      '<auto-type-table path="../../x.ts" name="X" />',
      '```json doc-gen:file\n{ "file": "../../.env" }\n```',
    ],
    nextra: inMdx.slice(0, 12),
    docusaurus: [
      ...inMdx.slice(0, 12),
      '```jsx live\n<a />\n```',
      'import x from "!!raw-loader!/etc/passwd"',
      '---\nhead: x\nmdx: { format: md }\n---\n{x}',
      '```mdx-code-block\n{evil()}\n```',
      '~~~\n```mdx-code-block\nimport fs from "fs"\n```\n~~~',
      '<!-- a -->\n\n`<!--` {evil()} `-->`',
      '<!-- a -->\n\n<b title="<!--">{evil()}</b> <b title="-->">x</b>',
      '<!-- a --!>{evil()} -->',
      '<!-- a -->\n\n:::note {evil()}\nx\n:::',
      '<!-- a -->\n\n\\<!-- {evil()} -->',
    ],
    vitepress: [
      ...inHtml,
      ...inFrontmatter,
      '{{ 1 + 1 }}',
      '::: v-pre\n</div>{{ x }}\n:::',
      '::: v-pre\nText\n :::\n{{ x }}\n:::',
      '::: v-pre\nText {onclick="x"}\n:::',
      'Text\n<div>\n::: v-pre\n{{ x }}\n:::\n</div>',
      '<pre>\n\n::: v-pre\n{{ x }}\n:::\n\n</pre>',
      '<a v-html="x">y</a>',
      '<div v-if="x()">y</div>',
      '<b @click="x">y</b>',
      '<b :title="x">y</b>',
      '<b v-bind:[k]="x">y</b>',
      '<b .innerHTML="x">y</b>',
      '<script setup>1</script>',
      '<script client>1</script>',
      '<style>x</style>',
      '<component :is="x" />',
      '<slot />',
      '<Evil />',
      '<!--@include: ../../../etc/passwd-->',
      '<!-- @include: /etc/passwd -->',
      '<<< @/../.env',
      '<<< ../../secret.ts',
      '```js-vue\n{{ x }}\n```',
      '::: raw\n<script>1</script>\n:::',
      'text {{\nx\n}}',
      '# {{ x }}',
      '# T {onclick="x"}',
      '[{{ x }}](/a)',
      '`a` {{ x }} `b`',
      '> <<< ../../secret.ts',
      '1. <<< /etc/passwd',
      '[a](b){v-on:click="x"}',
      '<teleport to="body"><div>x</div></teleport>',
      '<evil />',
      '<evil>x</evil>',
    ],
    mkdocs: [
      ...inHtml,
      '{{ config }}',
      '{% import "x" as y %}',
      '{% include "../../../etc/passwd" %}',
      '{# x #}',
      '{%- set x = 1 %}',
      '`{{ x }}`',
      '```\n{{ x }}\n```',
      '--8<-- "../x"',
      '--8<-- "https://evil.example/x"',
      '-8<- "/etc/passwd"',
      '--8<--\n../x\n--8<--',
      ';--8<-- "../x"\n\n--8<-- "../y"',
      '{!../x!}',
      '{! /etc/passwd !}',
      '::: os.system',
      '```python exec="true"\nimport os\n```',
      '``` { .python exec=1 }\nimport os\n```',
      'text { onclick="x" }',
      '[x](y){ href="&#106;avascript:x" }',
      '[x](y){ style="position:fixed" }',
      '!!! note\n    ```python exec="1"\n    import os\n    ```',
      '[x](y){: href="javascript:x" }',
      '# T {: style="background:url(https://evil.example)" onload="x" }',
      '/// html | script\n1\n///',
      '1. a\n\n    ```\n    x\n    ```\n    <script>1</script>',
      '- a\n\n    ```html\n    <b>\n\n<script>1</script>',
      '- a\n\n      <script>1</script>',
      '- a\n\n  ```html\n\n  <script>1</script>\n\n  ```',
      '> ::: os.system',
      '## ::: os.system',
      '--8<--\nx.md\n../y\n--8<--',
      '/// note\n    attrs:\n      onclick: z\n///',
      '---\ntitle: "{{ x }}"\n---\n',
      String.raw`\(\href{javascript:alert(1)}{x}\)`,
      '    ```\n<script>1</script>\n    ```',
    ],
    plainMkdocs: [
      ...inHtml.slice(0, 6),
      '[x](y){: href="javascript:x" }',
      '{%\ninclude-markdown "../../x.md"\n%}',
      '{{ read_csv("../../x.csv") }}',
    ],
    starlight: [...inHtml, ...inFrontmatter],
    hugo: ['```\n{{< x >}}\n```', '`{{% x %}}`', '{{< x >}}'],
    mdbook: ['```rust\n{{#playground ../../x.rs}}\n```', '```\n{{#rustdoc_include ../../.env}}\n```', '{{ x }}'],
    quarto: ['`r system("x")`', 'The `{python} x()` of', '`<p>`{=html}', '---\nfilters: [x.lua]\n---\n'],
    docsify: ["[x](https://evil.example/x.md ':include')", '[x](../../x :include)', '{{ x }}'],
    jekyll: [
      '`{{ x }}`',
      '```\n{% include x %}\n```',
      '```\n{{ "`" | append: "``" }}\n<script>evil()</script>\n```',
      '{% raw %}\n{% endraw %}{{ x }}\n{% endraw %}',
      '@[code](../../x)',
      '<!--#include file="x" -->',
      '---\ncascade:\n  draft: true\n---\n',
      '---\neleventyComputed:\n  title: "{{ x }}"\n---\n',
      '{{ x }}',
      '{% include x.html %}',
      '{{#include ../../x}}',
      '{{< x >}}',
      '<a :href="x">x</a>',
      '<p v-html="x"></p>',
      '<Evil />',
      '<!-- @include: ../../.env -->',
      '<<< @/../.env',
      ':::{raw} html\n<p>\n:::',
      '{raw:html}`<p>`',
      '{download}`../../.env`',
      '```{csv-table}\n:file: /etc/passwd\n```',
      ':::{csv-table}\n:file: /etc/passwd\n:::',
      '```{exec} python\n1\n```',
    ],
    markdown: [...inHtml, '{::nomarkdown}<script>1</script>{:/}', '{: onclick="x"}\ntext'],
  }),
)('a page of %s does not gain %j', async (format, text) => {
  expect(
    await refusals(format, {
      [pages[format]]: text.startsWith('---') || text.startsWith('+++') ? `${text}\nText.\n` : `# A\n\n${text}\n`,
    }),
  ).not.toEqual([])
})

const fine = [
  'Plain text with **bold**, _emphasis_ and `code`.',
  '## A heading with `code`\n\n- one\n- two\n  - three\n\n1. first\n2. second',
  '| a | b |\n| - | - |\n| `{x}` | `<script>` |',
  '```html\n<script>alert(1)</script>\n```',
  '```jsx\nimport x from "y"\n<a onClick={() => 1} />\n```',
  '~~~js\n{process.env.X}\n~~~',
  '````md\n```js\n{evil()}\n```\n````',
  'Code spans such as `onclick` and `<script>`.',
  '[a](https://example.org) [b](/a#b "t") [c](mailto:a@example.org)',
  '[a](https://яндекс.рф/x) [e](https://хор.рф) [b](https://münchen.example) [c](https://例え.jp) [d](https://ελλάδα.gr)',
  '![a](/images/a.png) ![b](data:image/png;base64,iVBORw0KGgo=)',
  '> A quote.\n>\n> - with a list',
  'An address in code: `javascript:alert(1)`.',
  'A sentence about javascript: it is a language.',
  'Text with an em dash — and “quotes”, ünïcödé and 日本語.',
  'العربية \u200Fنص',
  '---\ntitle: "A: b"\ndescription: Text\ntags: [a, b]\n---',
  '- [ ] a\n- [x] b',
]

it.each(
  cases({
    mintlify: [
      ...fine,
      '<Card title="A" icon="x" href="/a">Text</Card>',
      '<Tabs><Tab title="A">x</Tab></Tabs>',
      '<Steps><Step title="1">x</Step></Steps>',
      '<Chart values={1} />',
      '{process.env.OLD}',
      '<CodeGroup>\n```js a.js\n1\n```\n</CodeGroup>',
      '<img src="/a.png" alt="A" width="100" />',
      'import Note from "/snippets/note.mdx"\n\n<Note />',
      '{/* comment */}',
      '<Tooltip tip="text">x</Tooltip> and <br />',
      '---\nopenapi: api/openapi.json GET /a\n---',
      'With $\\{a, b\\}$, $\\underbrace{a}_{n}$, $(x + 1)(x - 1)$ and $\\frac{(a)(b)}{f (x)}$.',
      'With $\\max(a, b)$, $P(A|B)^{n}$, $e^{-0.5 x}$ and $f_{k}(x)$.',
      'The sum $\\sum_{i=1}^{n} x_{i}$ and\n\n$$\n\\frac{a}{b}\n$$',
      '<div style={{ display: "flex", gap: "8px" }}>x</div>',
      '<ParamField path="id" type="string" required>x</ParamField>',
      '<video controls src="/a.mp4"></video>',
      '<a href="#x">x</a>',
      'Text.[^1]\n\n[^1]: A note with [a link](/a).',
      '<img className="hidden dark:block" src="/a.png" /> <img className="block dark:hidden" src="/b.png" />',
      '<p style={{ opacity: 0.5, fontSize: "0.8rem" }}>x</p>',
      '```mermaid\ngraph TD\nA-->B\nclick A "/guides/a"\n```',
    ],
    docusaurus: [
      ...fine,
      '<!-- a comment -->\n\nText {/* another */}.',
      ':::tip\nText\n:::',
      'import Tabs from "@theme/Tabs"\n\n<Tabs>x</Tabs>',
      '<details>\n<summary>A</summary>\n\nText\n\n</details>',
    ],
    vitepress: [
      ...fine,
      'Write to <support@example.com>.',
      '::: details\nText\n:::',
      '<br>\n\n<kbd>Ctrl</kbd>',
      '```ts{1,3}\n{{ x }}\n```',
      '::: v-pre\nText\n:::',
      '::: v-pre\n`{{ a }}` and {{ b }}\n\n- {{ c }}\n:::',
      '# Title {#id}',
    ],
    mkdocs: [
      ...fine.slice(0, 15),
      '!!! note "Title"\n    Text',
      '??? tip\n    - a\n    - b',
      'Text :material-check:{ .icon }',
      '=== "A"\n    ```js\n    x = { a: 1 }\n    ```',
      '--8<-- "includes/a.md"',
      '- a\n\n    ```js\n    x = { a: 1 }\n    ```',
      '[a](b.md){ .md-button }',
      '*[HTML]: Text',
      'A footnote.[^1]\n\n[^1]: Text',
    ],
    starlight: [
      ...fine,
      ':::note\nText\n:::',
      '<details>\n<summary>A</summary>\nText\n</details>',
      'Braces { a } and {x}.',
    ],
    markdown: [
      ...fine,
      'Braces { a }, {x}, {{ y }} and ${z}.',
      'The set {a.b} is shown.',
      '<p align="center"><img src="a.png" width="3"></p>',
      '<!-- a comment -->',
      'a < b and b > c',
      'Use `<T>` or List<String>.',
      '<kbd>A</kbd> <sub>1</sub>',
      '<p style="color: white; background: #336; font-size: 12px; opacity: 0.8; height: 40px">A</p>',
      '<p style="font: bold 12px/1.5 serif; width: 1px; zoom: 1.5; line-height: 0.9; margin: -16px auto 0 -8px">A</p>',
      'A {Pool} may be hidden. The {hidden file} stays.',
      '[a](https://bot@git.example/x) [b](vscode://file/x) [c](tel:112)',
      '<p class="opacity-50 h-10 text-[14px] print:hidden">A</p>',
      ...[
        'color: rgb(255, 0, 0)',
        'border: 1px solid hsl(0, 100%, 0%)',
        'background: rgba(0, 0, 0, 0.5)',
        'min-height: 0; line-height: 0',
        'color: inherit; background: inherit',
      ].map((style) => `<span style="${style}">A</span>`),
      '---\npermalink: /home/start/\naliases: [/var/x, /root/y]\n---\n',
      '---\nopenapi: GET /home/{id}\n---\n',
      '```python {1}\nx = 1\n```',
    ],
    hugo: ['Text `{{ x }}`.', '```\n{{</* x */>}}\n```', '```\n{% x %}\n```', '`r` and `a r b`'],
    mdbook: ['```\n{{#if x}}\n```'],
    jekyll: [
      '{% raw %}`{{ x }}`{% endraw %}',
      '```\n{% raw %}\n{% x %}\n{% endraw %}\n```',
      '<kbd>A</kbd> <b>x</b>',
      '<https://x.example>',
      '## A {#a}',
    ],
    fumadocs: [...fine.slice(0, 8), '<Callout type="info">x</Callout>'],
    nextra: fine.slice(0, 8),
  }),
)('a page of %s may gain %j', async (format, text) => {
  expect(
    await refusals(format, { [pages[format]]: text.startsWith('---') ? `${text}\n\nText.\n` : `# A\n\n${text}\n` }),
  ).toEqual([])
})

const docs = (navigation: object, more: object = {}) =>
  JSON.stringify({ name: 'Site', navigation, redirects: [], ...more })

it.each([
  ['mintlify', 'docs.json', docs({ pages: ['index', { group: 'G', openapi: '../../secret.json' }] })],
  ['mintlify', 'docs.json', docs({ pages: ['index', { group: 'G', openapi: 'https://evil.example/x.json' }] })],
  ['mintlify', 'docs.json', docs({ pages: ['index', { group: 'G', openapi: { source: '//evil.example/x' } }] })],
  ['mintlify', 'docs.json', docs({ pages: ['index', { group: 'G', openapi: ['/etc/passwd', '..\\x'] }] })],
  ['mintlify', 'docs.json', docs({ pages: ['index', '../../../etc/passwd'] })],
  ['mintlify', 'docs.json', docs({ pages: ['index'], openapi: '%2e%2e/secret.json' })],
  ['mintlify', 'docs.json', docs({ pages: ['index', { group: '<img src=x onerror=y>', pages: ['a'] }] })],
  ...['/%09/evil.example', '/\t/evil.example', 'http:evil.example'].map(
    (destination) =>
      ['mintlify', 'docs.json', docs({ pages: ['index'] }, { redirects: [{ source: '/x', destination }] })] as const,
  ),
  ['docusaurus', 'docs/x/_category_.json', '{"label":"<img src=x onerror=y>"}'],
  ['mintlify', 'docs.json', docs({ $ref: '../../x.json' })],
  ['mintlify', 'docs.json', docs({ pages: ['index', { $ref: 'https://evil.example/x.json' }] })],
  ['mintlify', 'docs.json', docs({ pages: ['index'], global: { anchors: [{ anchor: 'A', href: 'javascript:x' }] } })],
  ['mintlify', 'docs.json', docs({ pages: ['index', { anchor: 'A', icon: 'https://evil.example/x.svg' }] })],
  [
    'mintlify',
    'docs.json',
    docs({ pages: ['index'] }, { redirects: [{ source: '/x', destination: '//evil.example' }] }),
  ],
  [
    'mintlify',
    'docs.json',
    docs({ pages: ['index'] }, { redirects: [{ source: '/:p*', destination: 'https://evil.example/:p*' }] }),
  ],
  ['mintlify', 'docs.json', docs({ pages: ['index'] }, { api: { openapi: 'x' } })],
  ['mintlify', 'docs.json', docs({ pages: ['index'] }, { integrations: { ga4: { measurementId: 'x' } } })],
  ['mintlify', 'docs.json', docs({ pages: ['index'] }, { customScripts: ['x.js'] })],
  ['mintlify', 'docs.json', docs({ pages: ['index'] }).replace('"name"', '"__proto__":{"a":1},"name"')],
  ['mintlify', 'docs.json', null],
  [
    'mint',
    'mint.json',
    JSON.stringify({
      name: 'Site',
      navigation: [{ group: 'G', pages: ['a'] }],
      tabs: [{ name: 'A', url: 'https://x', openapi: '../../x' }],
      anchors: [],
    }),
  ],
  [
    'mint',
    'mint.json',
    JSON.stringify({
      name: 'Site',
      navigation: [{ group: 'G', pages: ['a'] }],
      tabs: [],
      anchors: [{ name: 'A', url: 'javascript:x' }],
    }),
  ],
  [
    'mkdocs',
    'mkdocs.yml',
    'site_name: S\nplugins: [macros]\nmarkdown_extensions: [pymdownx.snippets]\nnav: [a.md, ../../etc/passwd]\n',
  ],
  [
    'mkdocs',
    'mkdocs.yml',
    'site_name: S\nplugins: [macros]\nmarkdown_extensions: [pymdownx.snippets]\nnav: [a.md]\nextra_javascript: [x.js]\n',
  ],
  [
    'mkdocs',
    'mkdocs.yml',
    'site_name: S\nplugins: [macros, {hooks: x}]\nmarkdown_extensions: [pymdownx.snippets]\nnav: [a.md]\n',
  ],
  [
    'mkdocs',
    'mkdocs.yml',
    'INHERIT: ../x.yml\nsite_name: S\nplugins: [macros]\nmarkdown_extensions: [pymdownx.snippets]\nnav: [a.md]\n',
  ],
  [
    'mkdocs',
    'mkdocs.yml',
    'site_name: S\nplugins: [macros]\nmarkdown_extensions: [pymdownx.snippets]\nnav: [!ENV HOME]\n',
  ],
  [
    'mkdocs',
    'mkdocs.yml',
    'site_name: S\nplugins: [macros]\nmarkdown_extensions: [pymdownx.snippets]\nnav: [a.md, {X: !!python/name:os.system }]\n',
  ],
  ['docusaurus', 'docs/x/_category_.json', '{"label":"X","link":{"type":"generated-index","href":"javascript:x"}}'],
  ['fumadocs', 'content/docs/meta.json', '{"pages":["a","../../../x"]}'],
  ['fumadocs', 'content/docs/meta.json', '{"pages":["[A](javascript:x)"]}'],
  ['nextra', 'pages/_meta.json', '{"index":{"title":"x","href":"javascript:x"}}'],
  ['markdown', 'image.png', '<svg onload="x"/>'],
  ['markdown', 'image.svg', '<svg><a xlink:href="javascript:x"/></svg>'],
  ['markdown', 'image.svg', '<svg><style>@import url(//evil.example)</style></svg>'],
  ['markdown', 'image.svg', '<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>'],
  ['markdown', 'image.svg', '<svg><foreignObject><iframe/></foreignObject></svg>'],
  ['markdown', 'image.svg', '<svg><set attributeName="href" to="javascript:x"/></svg>'],
  ['markdown', 'image.svg', '<svg><image href="https://evil.example/x"/></svg>'],
  ['markdown', 'image.svg', '<svg><handler>x</handler></svg>'],
  ['markdown', 'image.svg', '<svg><desc><![CDATA[</desc><script>x</script>]]></desc></svg>'],
  ['markdown', 'index.html', '<p>x</p>'],
  ['markdown', 'x.pdf', '%PDF'],
  ['markdown', '.GIT/hooks/pre-commit', 'x'],
  ['markdown', '.gi\u200Bt/config', 'x'],
  ['markdown', '\uFF0Egithub/workflows/x.yml', 'x'],
  ['markdown', '.github /workflows/x.yml', 'x'],
  ['markdown', '.gitattributes', '* filter=x'],
  ['markdown', '.gitmodules', 'x'],
  ['markdown', 'git~1/config', 'x'],
  ['markdown', 'GITHUB~1/x.yml', 'x'],
  ['markdown', 'AGENTS.md', 'x'],
  ['markdown', 'agents.MD', 'x'],
  ['markdown', '.cursorrules', 'x'],
  ['markdown', 'AGENT.md', 'x'],
  ['markdown', 'guides/x.prompt.md', 'x'],
  ['markdown', 'docs/SECURITY.md', 'x'],
  ['markdown', 'packages/CODEX.md', 'x'],
  ['markdown', '.mcp.json', 'x'],
  ['markdown', 'docs/CLAUDE.local.md', 'x'],
  ['markdown', 'Dockerfile', 'x'],
  ['markdown', 'netlify.toml', 'x'],
  ['markdown', '_redirects', 'x'],
  ['markdown', 'x.mjs', 'x'],
  ['markdown', '.lfsconfig', 'x'],
  ['vitepress', '.vitepress/theme/x.vue', 'x'],
  ['vitepress', 'x.data.ts', 'x'],
  ['vitepress', '[p].paths.js', 'x'],
  ['docusaurus', 'src/theme/Footer.js', 'x'],
  ['docusaurus', 'sidebars.ts', 'x'],
  ['docusaurus', 'static/x.html', 'x'],
  ['mkdocs', 'overrides/main.html', 'x'],
  ['mkdocs', 'main.py', 'x'],
  ['nextra', 'pages/_app.mdx', '# x'],
  ['nextra', 'pages/api/x.js', 'x'],
  ['starlight', 'src/content.config.ts', 'x'],
  ['starlight', 'src/pages/x.astro', 'x'],
  ['fumadocs', 'mdx-components.tsx', 'x'],
] as const)('a site of %s does not gain the file %s: %s', async (format, path, text) => {
  expect(await refusals(format, { [path]: text })).not.toEqual([])
})

it.each([
  ['mintlify', 'docs.json', docs({ pages: ['index', 'a', { group: 'G', icon: 'book', pages: ['b'] }] })],
  ['mintlify', 'docs.json', docs({ pages: ['index'] }, { redirects: [{ source: '/old', destination: '/a' }] })],
  ['mintlify', 'docs.json', docs({ pages: ['index', { group: 'G', openapi: 'api/openapi.json' }] })],
  ['mintlify', 'docs.json', docs({ pages: ['index', { anchor: 'Blog', href: 'https://blog.example.org' }] })],
  ['mintlify', 'new/page.mdx', '# New'],
  ['mintlify', 'api/agent.mdx', '# Agent'],
  ['vitepress', 'guides/agent.md', '# Agent'],
  [
    'mint',
    'mint.json',
    JSON.stringify({ name: 'Site', navigation: [{ group: 'H', pages: ['a', 'b'] }], tabs: [], anchors: [] }),
  ],
  [
    'mkdocs',
    'mkdocs.yml',
    'site_name: S\nplugins: [macros]\nmarkdown_extensions: [pymdownx.snippets]\nnav: [a.md, {B: b/c.md}]\n',
  ],
  ['mkdocs', 'docs/b.md', '# B'],
  ['docusaurus', 'docs/x/_category_.json', '{"label":"X","position":2,"link":{"type":"generated-index"}}'],
  ['fumadocs', 'content/docs/meta.json', '{"title":"D","pages":["a","---More---","..."]}'],
  [
    'nextra',
    'pages/_meta.json',
    '{"index":"Home","a":{"title":"A","type":"page"},"x":{"title":"X","href":"https://example.org"}}',
  ],
  ['starlight', 'src/content/docs/c.md', '---\ntitle: C\nsidebar:\n  order: 2\n---\n\nText.'],
  ['vitepress', 'guide/new.md', '# New'],
  ['markdown', 'sub folder/page.md', '# x'],
  ['markdown', 'data.csv', 'a,b'],
  ['markdown', 'image.svg', '<svg viewBox="0 0 1 1"><path d="M0 0"/><text>x</text></svg>'],
  ['markdown', 'Ünïcode/页面.md', '# x'],
] as const)('a site of %s may gain the file %s: %s', async (format, path, text) => {
  expect(await refusals(format, { [path]: text })).toEqual([])
})

it.each<[string, Format, string, string, string]>([
  ['a script', 'markdown', '<script>old()</script>', 'old', 'evil'],
  ['a style', 'vitepress', '<style>a { color: red }</style>', 'a {', '* {'],
  ['a set-up script', 'vitepress', '<script setup>\nimport a from "./a"\n</script>', './a', 'fs'],
  ['a script of MDX', 'mintlify', '<script>{`old()`}</script>', 'old', 'evil'],
  ['a script in an expression', 'mintlify', '{<b><script>old()</script></b>}', 'old', 'evil'],
  ['a live sample', 'docusaurus', '```jsx live\n<b />\n```', '<b />', 'evil()'],
  ['an executed block', 'mkdocs', '```python exec="on"\nprint(1)\n```', 'print(1)', 'evil()'],
  ['an executed block in a note', 'mkdocs', '!!! note\n    ```python exec="on"\n    a()\n    ```', 'a()', 'evil()'],
  ['a comment of a script', 'markdown', '<script>a() // b evil()</script>', 'b evil', 'b\nevil'],
])('%s on a page of %s may stay and move, but not change', async (_, format, code, old, now) => {
  const path = pages[format]
  const page = `# A\n\n${code}\n`
  const files: Files = { ...sites[format], [path]: page }

  const moved = await refusalsOf(files, { [path]: `# A\n\nText.\n\n${code}\n` })
  const changed = await refusalsOf(files, { [path]: page.replace(old, now) })

  expect([moved, changed]).toEqual([[], ['code-added']])
})

it('keeps the script of an image as it is', async () => {
  const files = { ...sites.markdown, 'a.svg': '<svg><script>old()</script></svg>' }

  expect(await refusalsOf(files, { 'a.svg': '<svg><script>evil()</script></svg>' })).toEqual(['image-unsafe'])
})

it('takes time that grows with the length of a style', () => {
  for (const piece of [' ', 'x', 'overflow:', 'rgb(', 'color: a(', 'font: a ']) {
    const started = threadCpuMs()

    listElementCode({
      name: 'p',
      attributes: [{ name: 'style', value: `font:${piece.repeat(100_000 / piece.length)}` }],
      line: 1,
    })

    expect(threadCpuMs() - started).toBeLessThan(1_000)
  }
})

it.each([
  ['[A](a.csv)', ['code-added']],
  ['- [A](../../.env)', ['code-added']],
  ['- [A](%2e%2e/%2e%2e/.env)', ['code-added']],
  ['- [A][a]\n\n[a]: notes.txt', ['code-added']],
  ['- [A](../../../../../secret.md)', ['code-added']],
  ['- [A](/etc/motd.md)', ['code-added']],
  ['- [A]()\n- [A](a.md)\n- [Readme](../README.md)', []],
])('lets the chapters of a book be pages only: %s', async (written, expected) => {
  const files = { 'a/b/c/book.toml': '[book]\n', 'a/b/c/src/SUMMARY.md': '# Summary\n', 'a/b/c/src/a.md': '# A\n' }

  expect(await refusalsOf(files, { 'a/b/c/src/SUMMARY.md': `# Summary\n\n${written}\n` })).toEqual(expected)
})

it('judges a page that no list of chapters names yet', async () => {
  const files = { 'a/b/c/book.toml': '[book]\n', 'a/b/c/src/SUMMARY.md': '# Summary\n', '_config.yml': 'title: S\n' }

  for (const written of [
    '<script>x()</script>',
    '```\n{{ #include ../.env }}\n```',
    '{% raw %}\n{{#include x}}\n{% endraw %}',
  ])
    expect(await refusalsOf(files, { 'a/b/c/src/new.md': `# New\n\n${written}\n` })).toContain('code-added')
})

it('takes nothing for text because Liquid would where another builder expands it', async () => {
  const files = { ...sites.hugo, '_config.yml': 'title: S\n' }
  const text = '# A\n\n{% raw %}\n{{< readfile ".env" >}}\n{% endraw %}\n'

  expect(await refusalsOf(files, { 'a.md': text })).toContain('code-added')
})

it('takes time that grows with the number of texts that Liquid never ends', async () => {
  const page = `${'{% raw %} '.repeat(400)}\n\n`.repeat(40)
  const started = process.cpuUsage()

  await refusalsOf(sites.jekyll, { 'a.md': page })

  expect(process.cpuUsage(started).user / 1_000_000).toBeLessThan(1.5)
})

it('takes time that grows with the length of a list of attributes', async () => {
  for (const piece of ['a=aa', 'a="a" ', '.aa=v ', '.a#b', '{', ' ']) {
    const started = threadCpuMs()

    await refusalsOf(sites.mkdocs, { 'docs/a.md': `# A\n\nText {${piece.repeat(20_000 / piece.length)} x\n` })

    expect(threadCpuMs() - started).toBeLessThan(2_000)
  }
})
