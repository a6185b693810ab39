import { expect, it } from 'vitest'
import { findSecrets } from './find-secrets.ts'

/** Put together here, so that no scanner takes this file for a leak. */
const random = ['kT9v', 'Qz3L', 'm8Xr', 'W2pB', 'n5Hd', 'J7cF', 'y4Gs', 'A6uE', 'q1Vo', 'R0wK'].join('')
const hex = ['9f3c7a1e', '5b8d2f60', 'c4e19a7b', '3d6f8052'].join('')
const encode = (text: string) => Buffer.from(text).toString('base64')

it.each([
  ['a quoted password', `password = "${random.slice(0, 16)}"`],
  ['a password of YAML with marks', `db_password: ${random.slice(0, 14)}!#`],
  ['a secret of AWS', `aws_secret_access_key = ${random}`],
  ['a key of Azure', `AccountKey=${random}${random}==`],
  ['hexadecimal digits by name', `client_secret: "${hex}${hex}"`],
  ['JSON', `"apiKey": "${random}"`],
  ['a token in base64', `Value: ${encode(`ghp_${random.slice(0, 36)}`)}`],
  ['a key pair in base64', encode(`user:sk-proj-${random}`)],
  ['a test key of Stripe', `sk_test_${random.slice(0, 24)}`],
  ['a token of Vault', `hvs.${random}`],
  ['a token of Databricks', `dapi${hex}`],
  ['a token of DigitalOcean', `dop_v1_${hex}${hex}`],
  ['a bearer token', `Authorization: Bearer ${random}`],
  ['an address with a password', `postgres://app:${random.slice(0, 12)}@db.internal/x`],
])('finds %s', (_name, line) => {
  expect(findSecrets(line)).not.toEqual([])
})

it.each([
  'password = "your-password-here-1"',
  'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  'api_key: YOUR_API_KEY_2',
  'token = os.environ["API_TOKEN_V2"]',
  'token: ${{ secrets.DEPLOY_TOKEN_2 }}',
  'token=$API_TOKEN_VERSION_2',
  'secret = process.env.SECRET_KEY_2',
  'apiKey: {{ API_KEY }}',
  'api_key: ghp_1234567890abcdef1234567890abcdef1234',
  'password: hunter2',
  'postgres://postgres:postgres@db/x',
  'https://<username>:<password>@example.com',
  'token: 123e4567-e89b-42d3-a456-426614174000',
  'commit 9f3c7a1e5b8d2f60c4e19a7b3d6f80529f3c7a1e',
  'integrity="sha256-kT9vQz3Lm8XrW2pBn5HdJ7cFy4GsA6uEq1VoR0wK8aB="',
  'secret: arn:aws:secretsmanager:eu-west-1:111122223333:secret:db',
  'token: getAccessTokenFromStore2()',
  'access_key = /docs/reference/v2/keys/list',
  'How to rotate a secret: a-guide-for-teams-2026',
  '![](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk)',
  `Bearer ${['eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4ifQ', 'SflKxwRJSMeKKF2QT4fwpM'].join('.')}`,
])('leaves the placeholders of documentation: %s', (line) => {
  expect(findSecrets(line)).toEqual([])
})

it.each(['password=', 'a-', 'A1b2', 'token: '])('takes a moment for a megabyte of %j', (piece) => {
  const startedAt = performance.now()

  findSecrets(piece.repeat(1_000_000 / piece.length))

  expect(performance.now() - startedAt).toBeLessThan(3_000)
})
