import { deletionsMax } from '../contract/agent-job.ts'

const mib = 1024 * 1024

/** What a change may contain; sizes are those after it. */
export const changeMax = { files: 200, fileBytes: mib, bytes: 8 * mib } as const

interface SiteRuleDescription {
  /** What is wrong, as one or two sentences; may contain code in backticks. */
  meaning: string
  /** Whether a change that adds the fault only gets a warning. */
  isMild?: true
}

interface ChangeRuleDescription extends Pick<SiteRuleDescription, 'meaning'> {
  /** `refused` where it would be written; the others are found before the pull request, and block it or only warn. */
  effect: 'refused' | 'blocks' | 'warns'
}

/** What can be wrong with the source of a site, by the stable name that its findings carry. */
export const siteRules = {
  'navigation-page-missing': { meaning: 'The navigation lists a page that does not exist.' },
  'navigation-invalid': { meaning: 'A navigation entry cannot be read.' },
  'navigation-too-deep': { meaning: 'The navigation is nested too deeply.' },
  'navigation-too-large': { meaning: 'The navigation has too many pages; the rest are omitted.' },
  'navigation-source-unsupported': { meaning: 'Part of the navigation comes from another repository.', isMild: true },
  'navigation-generator-unsupported': {
    meaning: 'Pages generated from AsyncAPI, GraphQL or an SDK are not read.',
    isMild: true,
  },
  'config-invalid': { meaning: 'A part of the configuration is not valid, and is ignored.' },
  'config-unparsable': { meaning: 'A configuration file or an API description is not valid JSON, YAML or JavaScript.' },
  'config-not-literal': {
    meaning: 'The configuration computes a value that Docent needs, and no code is run.',
    isMild: true,
  },
  'config-too-large': { meaning: 'The configuration with all its references is too large.' },
  'config-reference-missing': { meaning: 'A `$ref` names no file.' },
  'config-reference-cycle': { meaning: 'A `$ref` refers back to itself.' },
  'frontmatter-invalid': { meaning: 'The frontmatter of a page is not YAML, or has no end.' },
  'frontmatter-field-invalid': { meaning: 'A field of the frontmatter cannot be read.', isMild: true },
  'page-unparsable': {
    meaning: 'The MDX of a page does not parse. Docent reads the page without the faulty part, or as plain text.',
  },
  'page-given-up': { meaning: 'Parsing the page takes too long or too much memory; its text is left out.' },
  'page-too-large': { meaning: 'The page, with everything that it includes, is too large.' },
  'page-nesting-too-deep': { meaning: 'The content of the page is nested too deeply; the rest is left out.' },
  'page-path-duplicate': { meaning: 'Two files have the same page address.' },
  'page-generated': { meaning: 'Pages that code of the site generates are not read.', isMild: true },
  'page-words-lost': {
    meaning:
      'A page lacks at least a tenth of the words of its source, usually because Docent does not read a component or an include.',
  },
  'blog-not-read': { meaning: 'Posts of a blog are not read.', isMild: true },
  'file-unreadable': { meaning: 'A file cannot be read.' },
  'file-not-utf-8': { meaning: 'A file is not UTF-8 text.' },
  'file-too-large': { meaning: 'A file is over its size limit.' },
  'folder-outside': { meaning: 'The configuration takes pages from a folder outside the source.' },
  'image-unreadable': { meaning: 'An image cannot be read, for example because it is stored by Git LFS.' },
  'image-too-large': { meaning: 'An image is too large, so pages show its text instead.' },
  'images-too-large': { meaning: 'All images together are too large, so pages show the text of the rest.' },
  'snippet-missing': { meaning: 'An import, include or code component names no file.' },
  'snippet-cycle': { meaning: 'An import or include refers back to itself.' },
  'snippet-nesting-too-deep': { meaning: 'Snippets are nested too deeply; the rest is omitted.' },
  'snippet-budget-reached': { meaning: 'A page uses too many snippets; the rest are omitted.' },
  'link-dead': {
    meaning:
      'A link between pages of the site leads nowhere. Redirects, static files and files that sites generate count as pages.',
  },
  'anchor-dead': { meaning: 'A link leads to a section that its page does not have.' },
  'addresses-differ': { meaning: "Most of the site's own links do not match the page addresses of its format." },
  'openapi-unreadable': { meaning: 'An API description cannot be read.' },
  'openapi-operation-missing': { meaning: 'No API description has the operation that a page names.' },
  'suite-invalid': { meaning: '`docent.tests.yaml` has an error; none of its tests count.' },
  'assistant-file-repeated': { meaning: 'Several files instruct the assistant; only one counts.' },
  'assistant-file-too-long': { meaning: 'Instructions or a skill are too long; only their beginning is used.' },
  'assistant-skill-unusable': { meaning: 'A skill for the assistant lacks a name or a description.' },
  'crawl-limit-reached': { meaning: 'Not all pages of a published site were fetched, because a limit was reached.' },
  'page-not-fetched': { meaning: 'A page of a published site could not be fetched, and is not read.' },
  'page-kept': { meaning: 'A page of a published site could not be fetched, and stays as an earlier crawl got it.' },
  'sitemap-unreadable': { meaning: 'The sitemap of a published site cannot be read.' },
  'site-too-large': { meaning: 'The site has too many pages; the rest are omitted.' },
  'findings-truncated': { meaning: 'There are more findings than are listed.', isMild: true },
} as const satisfies Readonly<Record<string, SiteRuleDescription>>

/** What a change to a site may introduce besides; its name is stable too. */
export const changeRules = {
  'link-broken': {
    meaning:
      'A link to a missing page: on changed pages, and on every page that links to something moved or removed. Redirects count as pages.',
    effect: 'blocks',
  },
  'anchor-broken': {
    meaning: 'A link to a section that its page does not have, on changed pages and on pages that link to them.',
    effect: 'blocks',
  },
  'page-not-in-navigation': {
    meaning: 'A new page that the navigation does not list, where the format needs that.',
    effect: 'warns',
  },
  'redirect-broken': { meaning: 'A redirect to a missing page.', effect: 'warns' },
  'openapi-invalid': { meaning: 'An API description that violates its specification.', effect: 'blocks' },
  'tool-residue': {
    meaning: 'Leftovers from language models and editors, such as `</content>`, outside code.',
    effect: 'blocks',
  },
  'conflict-marker': { meaning: 'Merge conflict markers.', effect: 'blocks' },
  secret: {
    meaning:
      'Anything that looks like a key, token, password or private key. Docent knows the formats of more than 150 services, and looks at names, options and ids next to a value, and into addresses. It also decodes base64, percent encoding, hexadecimal digits and escapes once. Placeholders pass, and so do values that the site already contains. The finding does not repeat the secret.',
    effect: 'blocks',
  },
  'publishable-key': { meaning: "A key that is meant to be public, such as Stripe's `pk_live_…`.", effect: 'warns' },
  'invisible-character': {
    meaning: 'Zero-width and control characters, and direction marks where there is no right-to-left text.',
    effect: 'blocks',
  },
  'remote-script': { meaning: 'A `<script>` in a page.', effect: 'blocks' },
  'remote-frame': { meaning: 'An `<iframe>`, `<object>` or `<embed>` in a page.', effect: 'warns' },
  'path-protected': {
    meaning:
      "Automation, lock files, repository settings, hidden folders, `AGENTS.md` and the like; a symbolic link, an executable file, or a file outside the site's folder.",
    effect: 'refused',
  },
  'path-not-allowed': {
    meaning:
      'Any file that is not a page, an image or navigation, such as build configuration, manifests, scripts, styles and data.',
    effect: 'refused',
  },
  'code-added': {
    meaning:
      'New code on a page: an import, export or expression, an event handler, a script or frame, an unknown component, a template, a harmful address, frontmatter that becomes markup or reads a remote file, an invisible character, code in a formula, or an entry of the `SUMMARY.md` of mdBook that is no `.md` file of the repository.',
    effect: 'refused',
  },
  'image-unsafe': {
    meaning: 'An SVG that runs or fetches something, or text in place of an image.',
    effect: 'refused',
  },
  'config-changed': {
    meaning:
      'A change to `docs.json`, `mkdocs.yml` and the like outside the navigation, or a navigation address that points outside the site or fetches from elsewhere.',
    effect: 'refused',
  },
  'deletions-too-many': {
    meaning: `More than ${deletionsMax} deleted files in a job, pages that lose their text or their address, or are withdrawn by a field such as \`draft\`, or any of that for the home page, unless an owner [allows it](/guides/agent#what-may-the-agent-delete).`,
    effect: 'refused',
  },
  'page-redirected': {
    meaning:
      "A new redirect or a page's `permalink`, `aliases` and the like from the site's root or an existing page, unless an owner allows it.",
    effect: 'refused',
  },
  'file-in-use': {
    meaning:
      'A deleted file, or the former path of a moved image or snippet, that other files still name, unless an owner allows it.',
    effect: 'refused',
  },
  'change-too-large': {
    meaning: `More than ${changeMax.files} files, ${changeMax.fileBytes / mib} MiB in one file or ${changeMax.bytes / mib} MiB in all.`,
    effect: 'blocks',
  },
} as const satisfies Readonly<Record<string, ChangeRuleDescription>>

export type SiteRule = keyof typeof siteRules
export type ChangeRule = keyof typeof changeRules

/** How severe a change is that adds a fault of this kind. */
export function severityOf(rule: SiteRule | ChangeRule): 'block' | 'warn' {
  const isMild =
    rule in siteRules ? 'isMild' in siteRules[rule as SiteRule] : changeRules[rule as ChangeRule].effect === 'warns'
  return isMild ? 'warn' : 'block'
}
