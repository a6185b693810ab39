export const suiteTemplateNames = ['github', 'gitlab'] as const

/**
 * Workflows that run the suite on every change. `DOCENT_PACKAGE` is a variable of the repository: the package as npm
 * installs it.
 */
export const suiteTemplates: Readonly<Record<(typeof suiteTemplateNames)[number], string>> = {
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
