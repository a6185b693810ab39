import type { ScriptedStep } from './scripted-provider.ts'

type Call = NonNullable<ScriptedStep['calls']>[number]

/** What a model that knows its work does in a job, with its calls as models write them, and what the commit shows. */
export interface CompetentPart {
  steps: readonly (readonly Call[])[]
  /** Lines of the diff that was pushed. */
  shows: readonly RegExp[]
}

const call = (tool: string, input: object): Call => ({ tool, input })
const page = (title: string, body: string) => `---\ntitle: ${title}\n---\n\n${body}\n`
const greenButton = 'Insert a new roll and press the green button.'

export const competentParts: readonly [name: string, part: CompetentPart][] = [
  [
    'renames a term everywhere',
    {
      steps: [
        [call('grep', { query: '\\bticket machines?\\b', '-i': true, output_mode: 'files_with_matches', path: '.' })],
        [call('replace', { search: 'ticket machine', replacement: 'kiosk terminal', dry_run: 'true' })],
        [
          call('replace', {
            search: 'ticket machine',
            replacement: 'kiosk terminal',
            dry_run: false,
            glob: null,
            expect: '2',
          }),
        ],
      ],
      shows: [/^\+.*runs on a kiosk terminal/m],
    },
  ],
  [
    'adds a page with its entry',
    {
      steps: [
        [
          call('list', { path: './guides/', limit: null }),
          call('write', {
            file_path: '/guides/paper',
            contents: page('Paper', 'See [printers](/guides/printers#error-e-42).\n\n<Warning>Keep it dry.</Warning>'),
            listed: 'true',
          }),
        ],
      ],
      shows: [/^\+.*"guides\/paper"/m, /^\+<Warning>Keep it dry/m],
    },
  ],
  [
    'splits a page and keeps its addresses',
    {
      steps: [
        [call('read', { file_path: 'guides/printers.mdx', view_range: [1, 20] })],
        [
          call('write', {
            path: 'guides/errors',
            content: page('Errors', `## Error E-42\n\n${greenButton}`),
            group: 'Start',
          }),
          call('patch', {
            input: `*** Begin Patch\n*** Update File: guides/printers.mdx\n@@ ## Error E-42\n-The code \`E-42\` means that the paper has run out. ${greenButton}\n+See [errors](/guides/errors#error-e-42).\n*** End Patch`,
          }),
          call('navigation', { action: 'redirect', from: '/errors', target: '/guides/errors' }),
        ],
      ],
      shows: [/^\+See \[errors\]/m, /^\+.*"source": "\/errors"/m],
    },
  ],
  [
    'moves a page',
    {
      steps: [[call('move', { source: '/guides/printers', destination: 'reference/printers.mdx' })]],
      shows: [/^rename to reference\/printers\.mdx/m, /^\+.*"destination": "\/reference\/printers"/m],
    },
  ],
  [
    'deletes a page and leads its readers on',
    {
      steps: [[call('delete', { file: 'https://docs.kiosk.example/reference/partners', redirectTo: '/index' })]],
      shows: [/^deleted file/m, /^\+.*"source": "\/reference\/partners"/m],
    },
  ],
  [
    'adds to a page what it read by lines',
    {
      steps: [
        [
          call('read', { path: 'guides/printers.mdx:1-12' }),
          call('read', { path: 'index.mdx', offset: '2', limit: '4' }),
        ],
        [
          call('edit', {
            path: 'guides/printers.mdx',
            edits: JSON.stringify([
              { old_string: greenButton, new_string: `${greenButton} Then print a test ticket.` },
            ]),
          }),
        ],
      ],
      shows: [/^\+.*Then print a test ticket\./m],
    },
  ],
  [
    'writes a table and samples in two languages',
    {
      steps: [
        [
          call('write', {
            path: 'reference/limits.mdx',
            text: '\n## Widths\n\n| Setting | Default |\n| --- | --- |\n| `printer.width` | 80 |\n\n<CodeGroup>\n```bash Shell\nkiosk set printer.width 58\n```\n\n```python Python\nkiosk.set("printer.width", 58)\n```\n</CodeGroup>\n',
            append: 'true',
          }),
        ],
        [call('edit', { path: 'reference/limits', old_str: '| 80 |', new_str: '| 80 mm |', replace_all: 'false' })],
      ],
      shows: [/^\+\| `printer\.width` \| 80 mm \|/m, /^\+kiosk\.set/m],
    },
  ],
  [
    'patches two pages at once',
    {
      steps: [
        [
          call('patch', {
            patch: `--- a/index.mdx\n+++ b/index.mdx\n@@ -6,1 +6,1 @@\n-Kiosk is the software that runs on a ticket machine. It sells tickets, prints them and reports sales to the office.\n+Kiosk is the software of ticket machines.\n--- a/guides/printers.mdx\n+++ b/guides/printers.mdx\n@@ -8 +8 @@\n-<Warning>Never open the printer lid while a ticket is printing.</Warning>\n+<Note>Never open the lid while a ticket is printing.</Note>\n`,
          }),
        ],
      ],
      shows: [/^\+Kiosk is the software of ticket machines\./m, /^\+<Note>/m],
    },
  ],
  [
    'reorders the navigation and names a group',
    {
      steps: [
        [
          call('navigation', { command: 'list' }),
          call('plan', { todos: [{ content: 'Sort', status: 'in_progress' }] }),
        ],
        [
          call('navigation', { action: 'move', page: '/guides/printers', before: 'guides/install', after: null }),
          call('navigation', { action: 'rename', group: 'Start', title: 'Get started' }),
        ],
      ],
      shows: [/^\+.*"group": "Get started".*"guides\/printers", "guides\/install"/m],
    },
  ],
  [
    'takes a wrong turn back',
    {
      steps: [
        [call('plan', { items: ['Try', 'Keep the good part'] })],
        [
          call('edit', { path: 'index.mdx', find: '2 GB', replace: '4 GB' }),
          call('edit', { path: 'guides/printers.mdx', find: '80 mm', replace: '90 mm' }),
        ],
        [call('undo', { files: ['guides/printers.mdx'] }), call('diff', { path: null, stat: 'true' })],
      ],
      shows: [/^\+.*4 GB/m, /^(?![\s\S]*90 mm)/],
    },
  ],
]
