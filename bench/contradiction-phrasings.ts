type Phrasing = (key: string, value: string) => string

/** Another value of the same kind. */
export function contraryOf(value: string): string {
  if (/^true$/i.test(value)) return 'false'
  if (/^false$/i.test(value)) return 'true'
  const [, digits, unit = ''] = /^(\d[\d_,]*)(.*)$/.exec(value) ?? []
  return digits === undefined ? 'inherit' : `${Number(digits.replace(/[_,]/g, '')) * 2 || 10}${unit}`
}

/** Ways to state a default. */
export const statements: readonly Phrasing[] = [
  (k, v) => `\`${k}\` has a default of \`${v}\`.`,
  (k, v) => `When \`${k}\` is not set, \`${v}\` applies.`,
  (k, v) => `If \`${k}\` is omitted, the value is \`${v}\`.`,
  (k, v) => `The value of \`${k}\` is \`${v}\` unless overridden.`,
  (k, v) => `Without \`${k}\`, \`${v}\` is assumed.`,
  (k, v) => `\`${v}\` is the default for \`${k}\`.`,
  (k, v) => `\`${k}\` is \`${v}\` by default.`,
  (k, v) => `\`${k}\`: \`${v}\` by default.`,
  (k, v) => `\`${k}\` falls back to \`${v}\` when it is missing.`,
  (k, v) => `Omitting \`${k}\` is the same as setting it to \`${v}\`.`,
  (k, v) => `\`${k}\` (defaults to \`${v}\`)`,
  (k, v) => `\`${k}\` [default: ${v}]`,
  (k, v) => `- **\`${k}\`**: Controls this. Defaults to \`${v}\`.`,
  (k, v) => `- \`${k}\` — see the reference. The default value is \`${v}\`.`,
  (k, v) => `- \`${k}\` (optional, default \`${v}\`)`,
  (k, v) => `| Setting | Type | Default value |\n| --- | --- | --- |\n| \`${k}\` | any | ${v} |`,
  (k, v) => `| Name | Description |\n| --- | --- |\n| \`${k}\` | See above. Defaults to \`${v}\`. |`,
  (k, v) => `#### \`${k}\`\n\nType: any. Default: \`${v}\`.`,
  (k, v) => `## ${k}\n\n**Default value**: \`${v}\``,
  (k, v) => `**\`${k}\`** (query, default: \`${v}\`)\n\nSee the reference.`,
  (k, v) => `Initially, \`${k}\` is \`${v}\`.`,
  (k, v) => `\`${k}\` is preset to \`${v}\`.`,
  (k, v) => `We set \`${k}\` to \`${v}\` by default.`,
  (k, v) => `By default the server uses \`${v}\` for \`${k}\`.`,
  (k, v) => `Leave \`${k}\` empty to get \`${v}\`.`,
  (k, v) => `As long as \`${k}\` is not specified, it is \`${v}\`.`,
  (k, v) => `The \`${k}\` setting starts out as \`${v}\`.`,
  (k, v) => `In the absence of \`${k}\`, \`${v}\` is used.`,
  (k, v) => `\`${v}\` is used if \`${k}\` is not given.`,
  (k, v) => `Should \`${k}\` be left out, it is taken as \`${v}\`.`,
  (k, v) => `The default setting for \`${k}\` is ${v}.`,
  (k, v) => `A site that does not set \`${k}\` gets \`${v}\`.`,
]

/** Statements that contradict nothing, each with the value that the site gives or with another one. */
export const harmless: readonly Phrasing[] = [
  (k, v) => `\`${k}\` has a default of \`${v}\`.`,
  (k, v) => `Unless you change \`${k}\`, it is \`${v}\`.`,
  (k, v) => `On Windows, \`${k}\` defaults to \`${contraryOf(v)}\`.`,
  (k, v) => `\`${k}\` defaults to \`${contraryOf(v)}\` in development.`,
  (k, v) => `\`${k}\` used to default to \`${contraryOf(v)}\`.`,
  (k, v) => `Until version 3, the default of \`${k}\` was \`${contraryOf(v)}\`.`,
  (k, v) => `In the next major release \`${k}\` will default to \`${contraryOf(v)}\`.`,
  (k, v) => `Set \`${k}\` to \`${contraryOf(v)}\` to change the default behavior.`,
  (k, v) => `A common value for \`${k}\` is \`${contraryOf(v)}\`.`,
  (k, v) => `For Enterprise plans, \`${k}\` is \`${contraryOf(v)}\` by default.`,
  (k, v) => `\`${k}\` does not default to \`${contraryOf(v)}\`.`,
  (k, v) => `\`${k}\` accepts \`${contraryOf(v)}\`.`,
  (k, v) => `If you use Docker, \`${k}\` is \`${contraryOf(v)}\` by default.`,
  (k, v) => `The \`${k}Legacy\` option defaults to \`${contraryOf(v)}\`.`,
  (k, v) => `\`\`\`ts\n${k}: ${contraryOf(v)} // default\n\`\`\``,
  (k, v) => `When \`OTHER_FLAG\` is not set, \`${k}\` is \`${contraryOf(v)}\`.`,
  (k, v) => `With the CLI, \`${k}\` falls back to \`${contraryOf(v)}\`.`,
  (k, v) => `Other tools default \`${k}\` to \`${contraryOf(v)}\`.`,
  (k, v) => `For example, \`${k}\` could default to \`${contraryOf(v)}\`.`,
  (k, v) => `Change \`${k}\` from its default to \`${contraryOf(v)}\`.`,
]
