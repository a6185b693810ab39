import { type ListedSetting, listSettingGroups } from '../../src/config/settings.ts'
import { escapeMdx, writePage, writeTable } from './mdx-text.ts'

/** For each group of settings a table, and a section for each setting. */
export function writeConfigurationPage(): string {
  return writePage({
    title: 'Configuration reference',
    description: 'Every setting of Docent: its environment variable, its key in docent.config.json and its default.',
    source: 'src/config/settings',
    blocks: [
      introduction,
      ...listSettingGroups().flatMap(({ title, settings }) => [
        `## ${title}`,
        writeSummary(settings),
        ...settings.flatMap((setting) => writeSetting(setting)),
      ]),
    ],
  })
}

const introduction = `A setting is a value that you give to Docent in the environment or in the file \`docent.config.json\`.
An environment variable wins over the file, and the file wins over the default.
An empty variable counts as not set.

## How do I configure Docent?

To configure Docent, set environment variables:

\`\`\`sh
PORT=8080 DOCENT_BASE_URL=https://docent.example.com npm start
\`\`\`

Or write the same settings into \`docent.config.json\` in the working folder of the server, under the keys of the tables below:

\`\`\`json
{
  "port": 8080,
  "baseUrl": "https://docent.example.com"
}
\`\`\`

Each secret has a second variable whose name ends with \`_FILE\`, such as \`DOCENT_SECRET_KEY_FILE\`: it names a file that holds the secret.
The variable \`DOCENT_CONFIG\` names the configuration file where it lies in another place.
Docent refuses to start when a value is wrong or when a \`DOCENT_\` variable or a key of the file is unknown, and lists every fault at once.
The command \`docent config\` prints the settings in effect without showing secrets such as passwords.`

function writeSummary(settings: readonly ListedSetting[]): string {
  const rows = settings.map((setting) => [
    `\`${setting.meta.env}\``,
    `\`${setting.name}\``,
    describeDefault(setting),
    setting.meta.isSecret === true ? 'yes' : 'no',
  ])
  return writeTable(['Environment variable', 'Key in the file', 'Default', 'Secret'], rows)
}

function describeDefault({ meta, defaultValue }: ListedSetting): string {
  if (meta.defaultText !== undefined) return escapeMdx(meta.defaultText)
  if (defaultValue === undefined) return 'none'
  return `\`${typeof defaultValue === 'string' ? defaultValue : JSON.stringify(defaultValue)}\``
}

function writeSetting(setting: ListedSetting): string[] {
  const { name, meta } = setting
  const facts = [
    escapeMdx(meta.description),
    `The default of \`${meta.env}\` is ${describeDefault(setting)}.`,
    `Its key in \`docent.config.json\` is \`${name}\`.`,
    meta.isSecret === true ? 'It is a secret and is never printed.' : '',
  ]
  return [`### ${meta.env}`, facts.filter((fact) => fact !== '').join('\n')]
}
