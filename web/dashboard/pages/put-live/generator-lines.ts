import { say } from '../../../words/say.ts'

export interface GeneratorLine {
  /** Such as `docusaurus`. */
  id: string
  title: string
  /** Where the code goes. */
  file: string
  /** What to do with it there, in a sentence. */
  note: string
  code: string
}

export interface ScriptTag {
  /** Where clients reach the service, without a trailing slash. */
  baseUrl: string
  /** Slug of the site. */
  site: string
}

/** The script tag in the form that each site generator wants; plain HTML comes last. */
export function listGeneratorLines(tag: ScriptTag): [GeneratorLine, ...GeneratorLine[]] {
  return [
    {
      id: 'docusaurus',
      title: 'Docusaurus',
      file: 'docusaurus.config.js (or .ts)',
      note: say('Add it to the config object, or the entry to its scripts.'),
      code: `scripts: [
  { src: '${tag.baseUrl}/widget.js', 'data-site': '${tag.site}', async: true },
],`,
    },
    {
      id: 'vitepress',
      title: 'VitePress',
      file: '.vitepress/config.mts (or .js)',
      note: say('Add it to defineConfig, or the entry to its head.'),
      code: `head: [
  ['script', { src: '${tag.baseUrl}/widget.js', 'data-site': '${tag.site}', async: '' }],
],`,
    },
    {
      id: 'starlight',
      title: 'Starlight',
      file: 'astro.config.mjs',
      note: say('Add it to the options of starlight(), or the entry to its head.'),
      code: `head: [
  {
    tag: 'script',
    attrs: { src: '${tag.baseUrl}/widget.js', 'data-site': '${tag.site}', async: true },
  },
],`,
    },
    {
      id: 'mkdocs',
      title: say('MkDocs, Material for MkDocs'),
      file: 'overrides/main.html',
      note: say('Create the file beside mkdocs.yml, and set custom_dir: overrides under theme there.'),
      code: `{% extends "base.html" %}
{% block extrahead %}
  {{ super() }}
  ${writeTag(tag)}
{% endblock %}`,
    },
    {
      id: 'mintlify',
      title: 'Mintlify',
      file: 'docent.js',
      note: say('Create the file beside docs.json. Mintlify runs every .js file there on each page.'),
      code: `const script = document.createElement('script')
script.src = '${tag.baseUrl}/widget.js'
script.dataset.site = '${tag.site}'
script.async = true
document.head.append(script)`,
    },
    {
      id: 'next',
      title: 'Fumadocs, Nextra, Next.js',
      file: 'app/layout.tsx (or .jsx)',
      note: say('Add it at the end of <body>.'),
      code: `<script src="${tag.baseUrl}/widget.js" data-site="${tag.site}" async />`,
    },
    {
      id: 'html',
      title: say('Plain HTML, others'),
      file: say('The template of your pages'),
      note: say('Add it before </head> or </body>.'),
      code: writeTag(tag),
    },
  ]
}

function writeTag({ baseUrl, site }: ScriptTag): string {
  return `<script src="${baseUrl}/widget.js" data-site="${site}" async></script>`
}

const generators: Readonly<Record<string, string>> = {
  'docs-json': 'mintlify',
  'mint-json': 'mintlify',
  fumadocs: 'next',
  nextra: 'next',
}

/** @param format Of the site, as it was read; null if unknown. @returns Id of its generator's line. */
export function findGenerator(format: string | null, lines: readonly GeneratorLine[]): string {
  const id = generators[format ?? ''] ?? format
  return lines.some((line) => line.id === id) && id !== null ? id : 'html'
}
