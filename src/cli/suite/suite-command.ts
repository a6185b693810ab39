import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Output } from '../output.ts'
import type { TestSuiteOptions } from './test-suite.ts'

interface Options extends Omit<TestSuiteOptions, 'folder'> {
  template?: (typeof suiteTemplateNames)[number]
}

const percent = (value: string): number => {
  if (/^(?:100|\d{1,2})(?:\.\d{1,3})?$/.test(value) && Number(value) <= 100) return Number(value)
  throw new InvalidArgumentError('Use a number from 0 to 100.')
}

/** Mounts `docent test`. */
export function addSuiteCommand(program: Command, output: () => Output): void {
  program
    .command('test')
    .description('ask the questions of docent.tests.yaml and compare the answers with what it expects')
    .argument('[folder]', 'contains the documentation and its tests', '.')
    .option('--site <slug>', 'ask this site of the installation, with its model (default: answer from the files)')
    .option('--threshold <percent>', 'how many tests must pass (default: 100)', percent)
    .option('--baseline <file>', 'failures listed in this file are known and do not fail the run')
    .option('--update-baseline', 'write today’s failures to the baseline')
    .option('--junit <file>', 'write a JUnit report')
    .option('--markdown <file>', 'append a Markdown report')
    .addOption(new Option('--template <ci>', 'print a workflow that runs the tests').choices(suiteTemplateNames))
    .action(async (folder: string, { template, ...options }: Options) => {
      if (template !== undefined)
        return output().result({ template: suiteTemplates[template] }, () => suiteTemplates[template])
      const { testSuite } = await import('./test-suite.ts')
      if (!(await testSuite(output(), { folder, ...options }))) process.exitCode = 1
    })
}

const suiteTemplateNames = ['github', 'gitlab'] as const

/**
 * Workflows that run the suite on every change. `DOCENT_PACKAGE` is a variable of the repository: the package as npm
 * installs it.
 */
const suiteTemplates: Readonly<Record<(typeof suiteTemplateNames)[number], string>> = {
  github: `# .github/workflows/docs-tests.yml
name: Documentation tests
on:
  pull_request:
  push:
    branches: [main]
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
      - uses: actions/checkout@v6
        with:
          persist-credentials: false
      - uses: actions/setup-node@v6
        with:
          node-version: 24
      - run: npm install --global "$DOCENT_PACKAGE"
        env:
          DOCENT_PACKAGE: \${{ vars.DOCENT_PACKAGE }}
      - run: docent test . --markdown "$GITHUB_STEP_SUMMARY" --junit docent-tests.xml
      - uses: actions/upload-artifact@v4
        if: \${{ !cancelled() }}
        with:
          name: docent-tests
          path: docent-tests.xml
`,
  gitlab: `# Part of .gitlab-ci.yml
docs-tests:
  image: node:24
  timeout: 10 minutes
  script:
    - npm install --global "$DOCENT_PACKAGE"
    - docent test . --junit docent-tests.xml --markdown docent-tests.md
  artifacts:
    when: always
    paths: [docent-tests.md]
    reports:
      junit: docent-tests.xml
`,
}
