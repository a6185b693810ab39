import type { Command } from 'commander'
import type { Output } from './output.ts'

/** Mounts `docent backup`, `restore`, `move-to-postgres` and `migrate`, which are loaded when they are used. */
export function addBackupCommands(program: Command, output: () => Output): void {
  const load = () => import('./backup.ts')
  const backup = program
    .command('backup')
    .description('write a backup of everything that cannot be made again, while the server runs')
    .argument('<target>', 'a file, or a folder for a file that is named after the time')
    .option('--with-secrets', 'put the secret key into it: who has the file can then read stored credentials')
    .action(async (target: string, options: { withSecrets?: boolean }) =>
      (await load()).backup(output(), { target, hasSecrets: options.withSecrets === true }),
    )
  backup
    .command('verify')
    .description('read a backup to its end and check every part and row')
    .argument('<file>')
    .action(async (file: string) => (await load()).verify(output(), file))
  program
    .command('restore')
    .description('restore a backup into an empty data folder or database')
    .argument('<file>', 'a file that docent backup made')
    .option('--replace', 'put it in the place of what is there')
    .action(async (file: string, options: { replace?: boolean }) =>
      (await load()).restoreFile(output(), { file, replaces: options.replace === true }),
    )
  program
    .command('move-to-postgres')
    .description('copy the embedded database to the PostgreSQL that DATABASE_URL names')
    .option('--replace', 'drop what is in that database')
    .action(async (options: { replace?: boolean }) =>
      (await load()).move(output(), { replaces: options.replace === true }),
    )
  addMigrateCommand(program, output)
}

function addMigrateCommand(program: Command, output: () => Output): void {
  const load = () => import('./migrate.ts')
  const migrate = program
    .command('migrate')
    .description('bring the database to the form of this version, as every start does by itself')
    .action(async () => (await load()).migrate(output()))
  migrate
    .command('status')
    .description('list the migrations that have been run and those that are to be run')
    .action(async () => (await load()).migrationStatus(output()))
}
