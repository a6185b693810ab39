import type { Argument, Command, Option } from 'commander'
import { createProgram } from '../../src/cli/create-program.ts'
import { escapeMdx, writePage, writeTable } from './mdx-text.ts'

/** Prose about one command, by its full name. */
type Notes = ReadonlyMap<string, string>

const codeInHelp = /(?<![\w-])--[a-z][a-z-]*|\b[A-Z]+_[A-Z_]+\b|(?<![\w./])[\w.-]+\.(?:jsonl|txt|yaml)\b/g

/**
 * The reference of all commands: a table of the commands by group, and a section for each that has options,
 * subcommands or notes.
 *
 * @param prose The parts written by hand: an introduction, notes under `## docent NAME` headings, and other sections.
 * @throws If notes are about a command that does not exist.
 */
export function writeCommandsPage(prose: string): string {
  const program = createProgram()
  const [introduction = '', ...sections] = prose.trim().split(/\n+(?=## )/)
  const notes = new Map(sections.flatMap(readNotes))
  const commands = program.commands.flatMap((command) => writeCommand(command, [program.name()], notes))
  const unknown = [...notes.keys()].filter(
    (name) => !commands.includes(`## ${name}`) && !commands.includes(`### ${name}`),
  )
  if (unknown.length > 0) throw new Error(`There is no command ${unknown.join(', ')}. Remove its notes.`)
  return writePage({
    title: 'Command line reference',
    description: 'Every command of docent with its arguments and options, the JSON output and the exit codes.',
    source: 'src/cli/ and scripts/generated-docs/commands.md',
    blocks: [
      introduction,
      '## Which commands are there?',
      ...writeOverview(program),
      ...sections.filter((section) => readNotes(section).length === 0),
      ...commands,
    ],
  })
}

function readNotes(section: string): [name: string, text: string][] {
  const [heading = '', ...lines] = section.split('\n')
  return heading.startsWith('## docent ') ? [[heading.slice('## '.length), lines.join('\n').trim()]] : []
}

function writeOverview(program: Command): string[] {
  const groups = Map.groupBy(program.commands, (command) => command.helpGroup())
  return [...groups].flatMap(([group, commands]) => [
    `### ${group.replace(/:$/, '')}`,
    writeTable(
      ['Command', 'What it does'],
      commands.map((command) => [
        `\`${nameWithArguments(command, [program.name()])}\``,
        toSentence(command.description()),
      ]),
    ),
  ])
}

function writeCommand(command: Command, parents: readonly string[], notes: Notes): string[] {
  const path = [...parents, command.name()]
  const name = path.join(' ')
  const note = notes.get(name)
  const details = listDetails(command)
  const children = command.commands.flatMap((child) => writeCommand(child, path, notes))
  if (note === undefined && details.length === 0 && command.commands.length === 0) return []
  return [
    `${parents.length === 1 ? '##' : '###'} ${name}`,
    toSentence(command.description()),
    ...(note === undefined ? [] : [note]),
    ...(details.length === 0 ? [] : [writeTable(['Argument or option', 'Meaning'], details)]),
    ...(command.commands.length === 0 ? [] : [writeSubcommands(command, path)]),
    ...children,
  ]
}

function writeSubcommands(command: Command, path: readonly string[]): string {
  const rows = command.commands.map((child) => [
    `\`${nameWithArguments(child, path)}\``,
    toSentence(child.description()),
  ])
  return writeTable(['Command', 'What it does'], rows)
}

function listDetails(command: Command): string[][] {
  return [
    ...command.registeredArguments
      .filter(({ description }) => description !== '')
      .map((argument) => [`\`${nameArgument(argument)}\``, describe(argument)]),
    ...command.options.map((option) => [`\`${option.flags}\``, describe(option)]),
  ]
}

function nameWithArguments(command: Command, parents: readonly string[]): string {
  return [...parents, command.name(), ...command.registeredArguments.map(nameArgument)].join(' ')
}

function nameArgument(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${name}>` : `[${name}]`
}

function describe(described: Argument | Option): string {
  const { description, argChoices, defaultValue } = described
  const isRequired = 'mandatory' in described && described.mandatory
  const hasDefault = typeof defaultValue === 'string' || typeof defaultValue === 'number'
  return [
    toSentence(description),
    argChoices === undefined ? '' : `One of ${argChoices.map((choice) => `\`${choice}\``).join(', ')}.`,
    hasDefault ? `Default: \`${defaultValue}\`.` : '',
    isRequired ? 'Required.' : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

/** Help texts begin in lower case, have no full stop, and do not mark options, variables and files as code. */
function toSentence(text: string): string {
  return escapeMdx(`${text.charAt(0).toUpperCase()}${text.slice(1)}.`.replace(codeInHelp, '`$&`'))
}
