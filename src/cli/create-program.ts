import { Command } from 'commander'
import { productVersion } from '../app/product-version.ts'
import { ask } from './ask.ts'
import { addBackupCommands } from './backup-commands.ts'
import { addBotCommands } from './bot-commands.ts'
import { addLintCommand } from './lint/lint-command.ts'
import { addCheckCommand } from './check/check-command.ts'
import { config } from './config.ts'
import { addKeyCommands } from './key-commands.ts'
import { listRepositories, removeRepository } from './repository.ts'
import { createOutput, type Output } from './output.ts'
import { printReceipt, replayThread, verifyReceipt } from './receipt.ts'
import { search } from './search.ts'
import { addModelCommands } from './model.ts'
import { addSettingsCommands } from './settings.ts'
import { addAutomationCommands } from './automation-commands.ts'
import { addJobCommands } from './job-commands.ts'
import { addGithubAppCommands } from './github-app-commands.ts'
import { addExportCommands } from './export/export-commands.ts'
import { addSiteCommands } from './site-commands.ts'
import { addSuiteCommand } from './suite/suite-command.ts'
import { addWebhookCommands } from './webhook-commands.ts'
import { wholeNumber } from './option-values.ts'
import { printReply } from './connect.ts'

// Commands load parts of the service on use: most only ask a running server and should start fast.
const loadStart = () => import('./start.ts')

/**
 * The command-line program.
 *
 * @param makeOutput Creates the output, given whether `--json` is set.
 */
export function createProgram(makeOutput: (isJson: boolean) => Output = createOutput): Command {
  const program = new Command('docent')
    .description('Answers questions about a documentation site, from its own pages.')
    .version(productVersion, '--version', 'print the version')
    .option('--json', 'print only JSON to standard output: one document, or one per line')
    .exitOverride()
    .showHelpAfterError('Run with --help for usage.')

  const output = (): Output => makeOutput(program.opts<{ json?: boolean }>().json === true)

  program.commandsGroup('Run Docent:').helpCommand('help [command]', 'show how a command is used')
  addServiceCommands(program, output)
  program.commandsGroup('Ask questions:')
  addReaderCommands(program, output)
  addReceiptCommands(program, output)
  addEvalCommands(program, output)
  program.commandsGroup('Check documentation:')
  addSuiteCommand(program, output)
  addCheckCommand(program, output)
  addLintCommand(program, output)
  addDriftCommand(program, output)
  program.commandsGroup('Manage sites:')
  addSiteCommands(program, output)
  addRepositoryCommands(program, output)
  addGithubAppCommands(program, output)
  addExportCommands(program, output)
  program.commandsGroup('Change documentation:')
  addJobCommands(program, output)
  addAutomationCommands(program, output)
  program.commandsGroup('Manage access and connections:')
  addKeyCommands(program, output)
  addSettingsCommands(program, output)
  addModelCommands(program, output)
  addWebhookCommands(program, output)
  addBotCommands(program, output)
  program.commandsGroup('Keep data:')
  addBackupCommands(program, output)
  return program
}

/** Mounts commands that start, describe and check the service. */
function addServiceCommands(program: Command, output: () => Output): void {
  program
    .command('start')
    .description('start the server and the worker, until a signal stops them')
    .action(async () => (await loadStart()).start(output()))
  program
    .command('serve')
    .description('start the server without the worker; needs PostgreSQL')
    .action(async () => (await loadStart()).serve(output()))
  program
    .command('work')
    .description('start the worker without the server; needs PostgreSQL')
    .action(async () => (await loadStart()).work(output()))
  program
    .command('config')
    .description('print the settings in effect, without secrets')
    .action(() => config(output()))
  program
    .command('doctor')
    .description('check the settings, the data folder, the database, git and the model')
    .action(async () => {
      const { doctor } = await import('./doctor.ts')
      if (!(await doctor(output()))) process.exitCode = 1
    })
  program
    .command('owner-link')
    .description('print a link that signs the owner in; it works once, within an hour')
    .action(() =>
      printReply(
        output(),
        (client) => client.createOwnerLink(),
        ({ url }) => `${url}\n\nOpen it within an hour. It signs the owner in and works only once.`,
      ),
    )
}

/** Mounts commands that use the reader API. */
function addReaderCommands(program: Command, output: () => Output): void {
  program
    .command('ask')
    .description('ask a question and print the answer')
    .argument('<question...>')
    .option('--site <slug>', 'the site', 'docs')
    .option('--key <key>', 'an assistant key of the site (default: DOCENT_ASSISTANT_KEY)')
    .action((question: string[], options: { site: string; key?: string }) =>
      ask(output(), { ...options, question: question.join(' ') }),
    )

  program
    .command('search')
    .description('search a site and print the matching passages')
    .argument('<query...>')
    .option('--site <slug>', 'the site', 'docs')
    .option('--key <key>', 'an assistant key of the site (default: DOCENT_ASSISTANT_KEY)')
    .option('--limit <count>', 'maximum number of results, 1 to 50', wholeNumber(1, 50), 5)
    .action((query: string[], options: { site: string; key?: string; limit: number }) =>
      search(output(), { site: options.site, key: options.key, query: query.join(' '), pageSize: options.limit }),
    )
}

function addDriftCommand(program: Command, output: () => Output): void {
  program
    .command('drift')
    .description('print what became false in the documentation, because the product changed between two commits')
    .option(
      '--base <ref>',
      'branch, tag or commit to compare with, such as main or HEAD~2 (default: the parent of the current commit)',
    )
    .option('--product <folder>', "folder of the product's repository", '.')
    .option('--docs <folder>', 'folder of the documentation, read as it is on disk (default: that of the product)')
    .option('--markdown', 'print Markdown for a comment')
    .action(async (options: { base?: string; product: string; docs?: string; markdown?: boolean }) => {
      const { printDrift } = await import('./drift.ts')
      await printDrift(output(), options)
    })
}

function addReceiptCommands(program: Command, output: () => Output): void {
  program
    .command('receipt')
    .description('print the signed receipt of an answer')
    .argument('<thread>', 'id of the thread')
    .argument('[answer]', 'id of the answer (default: the newest of the thread)')
    .option('--site <slug>', 'the site', 'docs')
    .action((threadId: string, messageId: string | undefined, { site }: { site: string }) =>
      printReceipt(output(), { threadId, messageId, site }),
    )
  program
    .command('replay')
    .description('answer the questions of a thread again, from the original index and from today’s')
    .argument('<thread>', 'id of the thread')
    .option('--site <slug>', 'the site', 'docs')
    .action((threadId: string, { site }: { site: string }) => replayThread(output(), { threadId, site }))
  program
    .command('verify')
    .description('check a receipt against the repository of the site; needs no installation')
    .argument('<receipt>', 'the file')
    .option('--repository <folder>', 'a clone with the commits that the receipt names')
    .option('--key <file or URL>', 'the public key of the installation; without it, the origin is not checked')
    .action((receipt: string, options: { repository?: string; key?: string }) =>
      verifyReceipt(output(), { receipt, ...options }),
    )
}

function addEvalCommands(program: Command, output: () => Output): void {
  const evaluation = program.command('eval').description('measure the quality of search and answers')
  evaluation
    .command('answers')
    .description('ask the assistant labelled questions with the configured model and score its answers')
    .argument('<folder>', 'contains answers.jsonl, and site/ if the questions are about a site of their own')
    .option('--site <slug>', 'the site (default: the only site, or docs)')
    .option('--verbose', 'list every wrong answer')
    .action(async (folder: string, options: { site?: string; verbose?: boolean }) => {
      const { evaluateAnswers } = await import('./evaluation/eval-answers.ts')
      await evaluateAnswers(output(), { folder, site: options.site, isVerbose: options.verbose === true })
    })
  evaluation
    .command('retrieval')
    .description('index a labelled corpus, run its queries and score the rankings')
    .argument('<folder>', 'contains pages.jsonl or chunks.jsonl, queries.jsonl and qrels.jsonl')
    .action(async (folder: string) => (await import('./evaluation/eval.ts')).evaluateRetrieval(output(), folder))
}

function addRepositoryCommands(program: Command, output: () => Output): void {
  const repository = program.command('repository').description('list and remove repositories of the built-in host')
  repository
    .command('list')
    .description('list the repositories and where to clone them')
    .action(() => listRepositories(output()))
  repository
    .command('remove')
    .description('remove a repository with its history and pull requests')
    .argument('<name>', 'for example default/docs')
    .option('--yes', 'confirm the removal')
    .action((name: string, options: { yes?: boolean }) => removeRepository(output(), name, options))
}
