import type { Command } from 'commander'
import type { Output } from './output.ts'

/** Mounts `docent backup`, `restore`, `move-to-postgres` and `migrate`; each loads its code on use. */
export function addBackupCommands(program: Command, output: () => Output): void {
  const load = () => import('./backup.ts')
  const backup = program
    .command('backup')
    .description('back up everything that cannot be rebuilt; the server may keep running')
    .argument('<target>', 'a file, or a folder, in which the file is named after the current time')
    .option('--with-secrets', 'include the secret key; anyone with the file can then read stored credentials')
    .action(async (target: string, options: { withSecrets?: boolean }) =>
      (await load()).backup(output(), { target, hasSecrets: options.withSecrets === true }),
    )
  backup
    .command('verify')
    .description('check every part and row of a backup')
    .argument('<file>')
    .action(async (file: string) => (await load()).verify(output(), file))
  program
    .command('restore')
    .description('restore a backup into an empty data folder or database')
    .argument('<file>', 'a file written by docent backup')
    .option('--replace', 'replace the existing data')
    .action(async (file: string, options: { replace?: boolean }) =>
      (await load()).restoreFile(output(), { file, replaces: options.replace === true }),
    )
  program
    .command('move-to-postgres')
    .description('copy the embedded database to the PostgreSQL database at DATABASE_URL')
    .option('--replace', 'drop the existing data in that database')
    .action(async (options: { replace?: boolean }) =>
      (await load()).move(output(), { replaces: options.replace === true }),
    )
  addMigrateCommand(program, output)
}

function addMigrateCommand(program: Command, output: () => Output): void {
  const load = () => import('./migrate.ts')
  const migrate = program
    .command('migrate')
    .description('migrate the database to this version, as every start does')
    .action(async () => (await load()).migrate(output()))
  migrate
    .command('status')
    .description('list applied and pending migrations')
    .action(async () => (await load()).migrationStatus(output()))
}
