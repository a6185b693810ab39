/** Draws secrets as services make them, pages that show them, and what documentation shows in their place. */

type Draw = () => number

const lower = 'abcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'
const upper = lower.toUpperCase()
const hex = `${digits}abcdef`
const alnum = lower + upper + digits
const word = `${alnum}_-`
const base64 = `${alnum}+/`

function chars(draw: Draw, alphabet: string, count: number): string {
  return Array.from({ length: count }, () => alphabet[Math.floor(draw() * alphabet.length)]).join('')
}

const pick = <Item>(draw: Draw, items: readonly Item[]): Item => {
  const item = items[Math.floor(draw() * items.length)]
  if (item === undefined) throw new RangeError('Nothing to pick from.')
  return item
}

function uuid(draw: Draw): string {
  const part = (count: number) => chars(draw, hex, count)
  return `${part(8)}-${part(4)}-4${part(3)}-${pick(draw, ['8', '9', 'a', 'b'])}${part(3)}-${part(12)}`
}

const encode = (text: string) => Buffer.from(text).toString('base64url')

/** A kind of secret; `names` are what its variable is called where only the name tells. */
interface SecretKind {
  name: string
  variable?: string
  make: (draw: Draw) => string
}

const of = (name: string, prefix: string, alphabet: string, count: number): SecretKind => ({
  name,
  make: (draw) => prefix + chars(draw, alphabet, count),
})
const by = (variable: string, alphabet: string, count: number): SecretKind => ({
  name: variable,
  variable,
  make: (draw) => chars(draw, alphabet, count),
})

function pem(draw: Draw, label: string): string {
  const lines = Array.from({ length: 6 }, () => chars(draw, base64, 64))
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`].join('\n')
}

export const secretKinds: readonly SecretKind[] = [
  { name: 'AWS key id', make: (draw) => `AKIA${chars(draw, `${upper}234567`, 16)}` },
  by('AWS_SECRET_ACCESS_KEY', base64, 40),
  of('GitHub', 'ghp_', alnum, 36),
  of('GitHub server', 'ghs_', alnum, 36),
  { name: 'GitHub fine-grained', make: (draw) => `github_pat_${chars(draw, alnum, 22)}_${chars(draw, alnum, 59)}` },
  of('GitLab', 'glpat-', word, 20),
  of('GitLab runner', 'glrt-', word, 20),
  of('Anthropic', 'sk-ant-api03-', word, 93),
  {
    name: 'OpenAI project',
    make: (draw) => `sk-proj-${chars(draw, word, 74)}T3BlbkFJ${chars(draw, word, 74)}`,
  },
  { name: 'OpenAI', make: (draw) => `sk-${chars(draw, alnum, 20)}T3BlbkFJ${chars(draw, alnum, 20)}` },
  of('Stripe', 'sk_live_', alnum, 24),
  of('Stripe restricted', 'rk_live_', alnum, 24),
  of('Stripe test', 'sk_test_', alnum, 24),
  of('Stripe webhook', 'whsec_', alnum, 32),
  {
    name: 'Slack bot',
    make: (draw) => `xoxb-${chars(draw, digits, 12)}-${chars(draw, digits, 13)}-${chars(draw, alnum, 24)}`,
  },
  {
    name: 'Slack webhook',
    make: (draw) =>
      `https://hooks.slack.com/services/T${chars(draw, upper + digits, 10)}/B${chars(draw, upper + digits, 10)}/${chars(draw, alnum, 24)}`,
  },
  {
    name: 'Discord webhook',
    make: (draw) => `https://discord.com/api/webhooks/${chars(draw, digits, 19)}/${chars(draw, word, 68)}`,
  },
  {
    name: 'Discord bot',
    make: (draw) => `MT${chars(draw, alnum, 24)}.G${chars(draw, word, 5)}.${chars(draw, word, 38)}`,
  },
  { name: 'Telegram', make: (draw) => `7${chars(draw, digits, 9)}:AA${chars(draw, word, 33)}` },
  {
    name: 'Teams webhook',
    make: (draw) =>
      `https://acme.webhook.office.com/webhookb2/${uuid(draw)}@${uuid(draw)}/IncomingWebhook/${chars(draw, hex, 32)}/${uuid(draw)}`,
  },
  by('TWILIO_AUTH_TOKEN', hex, 32),
  { name: 'SendGrid', make: (draw) => `SG.${chars(draw, word, 22)}.${chars(draw, word, 43)}` },
  of('Mailgun', 'key-', hex, 32),
  { name: 'Mailchimp', make: (draw) => `${chars(draw, hex, 32)}-us${1 + Math.floor(draw() * 21)}` },
  {
    name: 'Azure storage',
    make: (draw) =>
      `DefaultEndpointsProtocol=https;AccountName=acmedocs;AccountKey=${chars(draw, base64, 86)}==;EndpointSuffix=core.windows.net`,
  },
  { name: 'Azure client', make: (draw) => `${chars(draw, alnum, 3)}8Q~${chars(draw, `${alnum}_~.-`, 34)}` },
  of('Google', 'AIza', word, 35),
  of('Google client', 'GOCSPX-', word, 28),
  of('Hugging Face', 'hf_', alnum, 34),
  of('Databricks', 'dapi', hex, 32),
  of('Vault', 'hvs.', word, 90),
  of('Doppler', 'dp.pt.', alnum, 43),
  of('DigitalOcean', 'dop_v1_', hex, 64),
  of('Linear', 'lin_api_', alnum, 40),
  of('Notion', 'ntn_', alnum, 46),
  of('Supabase', 'sbp_', hex, 40),
  of('Shopify', 'shpat_', hex, 32),
  of('Groq', 'gsk_', alnum, 52),
  of('Perplexity', 'pplx-', alnum, 48),
  { name: 'Resend', make: (draw) => `re_${chars(draw, alnum, 8)}_${chars(draw, alnum, 24)}` },
  of('npm', 'npm_', alnum, 36),
  of('PyPI', 'pypi-AgEIcHlwaS5vcmc', word, 140),
  of('Docker', 'dckr_pat_', word, 27),
  of('Grafana', 'glsa_', alnum, 32),
  of('New Relic', 'NRAK-', upper + digits, 27),
  { name: 'Postman', make: (draw) => `PMAK-${chars(draw, hex, 24)}-${chars(draw, hex, 34)}` },
  of('Pulumi', 'pul-', hex, 40),
  of('Figma', 'figd_', word, 40),
  { name: 'Airtable', make: (draw) => `pat${chars(draw, alnum, 14)}.${chars(draw, hex, 64)}` },
  of('Atlassian', 'ATATT3xFfGF0', word, 180),
  of('xAI', 'xai-', alnum, 80),
  of('Replicate', 'r8_', alnum, 37),
  of('PostHog personal', 'phx_', alnum, 43),
  of('Square', 'EAAAE', word, 59),
  of('Tailscale', 'tskey-auth-', alnum, 35),
  of('PlanetScale', 'pscale_tkn_', word, 43),
  by('DATADOG_API_KEY', hex, 32),
  by('CLOUDFLARE_API_TOKEN', word, 40),
  { name: 'HEROKU_API_KEY', variable: 'HEROKU_API_KEY', make: uuid },
  by('DB_PASSWORD', `${alnum}!#%*`, 16),
  by('JWT_SECRET', hex, 64),
  by('apiKey', alnum, 32),
  by('CLIENT_SECRET', `${alnum}-_`, 40),
  {
    name: 'JSON web token',
    make: (draw) =>
      `${encode('{"alg":"HS256","typ":"JWT"}')}.${encode(`{"sub":"${uuid(draw)}","org":"${chars(draw, lower, 9)}","iat":17${chars(draw, digits, 8)}}`)}.${chars(draw, word, 43)}`,
  },
  {
    name: 'database address',
    make: (draw) => `postgres://app:${chars(draw, alnum, 16)}@db-${chars(draw, lower, 5)}.acme.cloud:5432/main`,
  },
  { name: 'bearer', make: (draw) => `Bearer ${chars(draw, alnum, 40)}` },
  { name: 'RSA key', make: (draw) => pem(draw, 'RSA PRIVATE KEY') },
  { name: 'OpenSSH key', make: (draw) => pem(draw, 'OPENSSH PRIVATE KEY') },
  {
    name: 'service account',
    make: (draw) =>
      JSON.stringify({
        type: 'service_account',
        private_key_id: chars(draw, hex, 40),
        private_key: pem(draw, 'PRIVATE KEY'),
      }),
  },
  { name: 'token in base64', make: (draw) => encode(`user:ghp_${chars(draw, alnum, 36)}`) },
  {
    name: 'percent-encoded token',
    make: (draw) =>
      Array.from(`sk_live_${chars(draw, alnum, 24)}`)
        .map((sign) => (draw() < 0.4 ? `%${sign.charCodeAt(0).toString(16)}` : sign))
        .join(''),
  },
]

const sentences = [
  'Before you start, create a project and install the command line tool.',
  'The endpoint returns a page of at most 100 records, newest first.',
  'See [Rate limits](/guides/limits) for what happens above 60 requests a minute.',
]

/** Pages as they are: a secret stands in an example or in a sentence, often without a word that says what it is. */
const contexts: readonly ((variable: string, secret: string) => string)[] = [
  (variable, secret) => `\`\`\`bash\nexport ${variable}=${quote(secret, '"')}\nacme deploy --wait\n\`\`\``,
  (variable, secret) =>
    `\`\`\`yaml\nservices:\n  web:\n    environment:\n      ${variable}: ${quote(secret, "'")}\n\`\`\``,
  (variable, secret) =>
    `\`\`\`json\n{\n  "${variable}": ${JSON.stringify(secret)},\n  "region": "eu-west-1"\n}\n\`\`\``,
  (variable, secret) =>
    `\`\`\`python\nimport os\n\n${variable} = ${quote(secret, '"""')}\nclient = Client(${variable})\n\`\`\``,
  (variable, secret) => `Set \`${variable}\` to \`${secret}\` in the settings of the project.`,
  (variable, secret) => `\`\`\`dotenv\nNODE_ENV=production\n${variable}=${secret}\n\`\`\``,
  (variable, secret) => `| Variable | Value |\n| --- | --- |\n| \`${variable}\` | \`${secret}\` |`,
  (variable, secret) => `\`\`\`ts\nconst client = new Client({ ${variable}: ${quote(secret, '`')} })\n\`\`\``,
  (variable, secret) =>
    `\`\`\`bash\ncurl https://api.acme.cloud/v1/things -H "${variable.replaceAll('_', '-')}: ${secret}"\n\`\`\``,
]

const quote = (text: string, mark: string) => `${mark}${text}${mark}`

export interface Sample {
  kind: string
  text: string
  secret: string
}

const variables = ['API_KEY', 'ACME_TOKEN', 'CLIENT_SECRET', 'SERVICE_CREDENTIALS']
const plainVariables = ['ACME_SETTING', 'webhook', 'value', 'DATABASE_URL']

/** @param draw From 0 to 1, as `Math.random`. */
export function drawSecrets(draw: Draw, count: number): Sample[] {
  return Array.from({ length: count }, (_, index) => {
    const kind = secretKinds[index % secretKinds.length] ?? pick(draw, secretKinds)
    const secret = kind.make(draw)
    const variable = kind.variable ?? pick(draw, draw() < 0.5 ? variables : plainVariables)
    const body = pick(draw, contexts)(variable, secret)
    return {
      kind: kind.name,
      secret,
      text: `## Setup\n\n${pick(draw, sentences)}\n\n${body}\n\n${pick(draw, sentences)}\n`,
    }
  })
}

const hints = ['your', 'example', 'my', 'sample', 'test', 'dummy', 'fake', 'demo']

/** The replacement for a secret. */
const placeholders: readonly ((draw: Draw) => string)[] = [
  (draw) =>
    `${pick(draw, ['sk-', 'sk_live_', 'ghp_', 'xoxb-', 'hf_', 'AIza', 'svc_'])}${'x'.repeat(12 + Math.floor(draw() * 24))}`,
  (draw) =>
    `${pick(draw, ['sk-', 'sk_test_', 'ghp_', 'glpat-', ''])}${pick(draw, hints)}_${pick(draw, ['api_key', 'secret_token', 'access_key_here'])}`,
  (draw) => `YOUR_${pick(draw, ['API', 'STRIPE', 'OPENAI', 'GITHUB'])}_${pick(draw, ['KEY', 'TOKEN', 'SECRET'])}`,
  (draw) => `<${pick(draw, hints)}-${pick(draw, ['token', 'api-key', 'password'])}>`,
  (draw) => `{{ ${pick(draw, ['API_KEY', 'secrets.TOKEN', 'env.PASSWORD'])} }}`,
  (draw) => `\${${pick(draw, ['API_KEY', 'GITHUB_TOKEN', 'DB_PASSWORD_2'])}}`,
  (draw) => `$${pick(draw, ['API_KEY', 'ACME_TOKEN_V2', 'DB_PASSWORD'])}`,
  (draw) => `process.env.${pick(draw, ['API_KEY', 'STRIPE_SECRET_KEY_2', 'TOKEN'])}`,
  (draw) => `os.environ["${pick(draw, ['API_KEY', 'OPENAI_API_KEY', 'TOKEN_V2'])}"]`,
  (draw) =>
    `${pick(draw, ['sk-', 'ghp_', 'AKIA', ''])}${pick(draw, ['1234567890abcdef1234567890abcdef1234', 'abcdefghijklmnopqrstuvwxyz123456', '0123456789ABCDEF', '00000000000000000000000000000000'])}`,
  (draw) => `${pick(draw, ['sk-ant-', 'sk-', 'ghp_', 'eyJhbGciOi', 'xoxb-'])}…`,
  (draw) => `${pick(draw, ['sk-ant-api03-', 'pk_live_', 'ghp_', 'eyJhbGciOiJIUzI1NiJ9.'])}...`,
  () => 'AKIAIOSFODNN7EXAMPLE',
  () => 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  () =>
    [
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9',
      'eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ',
      'SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
    ].join('.'),
  () => 'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
  (draw) =>
    pick(draw, [
      'hunter2',
      'changeme',
      'P@ssw0rd123',
      'correct-horse-battery-staple',
      'S3cret!Passw0rd',
      'secret123',
      'password',
    ]),
  (draw) =>
    pick(draw, [
      'postgres://postgres:postgres@db:5432/app',
      'postgres://user:password@localhost:5432/app',
      'mysql://root:root@127.0.0.1/app',
      'https://<username>:<password>@example.com',
      'redis://default:yourpassword@redis.example.com:6379',
      'amqp://guest:guest@rabbit/',
    ]),
  uuid,
  (draw) => `sha256-${chars(draw, base64, 43)}=`,
  (draw) => `0x${chars(draw, hex, 40)}`,
  (draw) => `https://acme.cloud/${chars(draw, lower, 6)}/${chars(draw, lower, 8)}/v2`,
  (draw) =>
    pick(draw, [
      'getAccessToken()',
      'await createSessionToken(user)',
      'req.headers.authorization',
      'config.auth.apiKeyV2',
      'credentials.access_token',
      'readSecretFromVault2',
    ]),
  (draw) =>
    pick(draw, [
      'arn:aws:secretsmanager:eu-west-1:111122223333:secret:db',
      'projects/acme/secrets/db-password/versions/3',
      'op://vault/item/password',
      'vault:secret/data/app#token',
    ]),
  () => '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
  () => '-----BEGIN RSA PRIVATE KEY-----\nYOUR_PRIVATE_KEY\n-----END RSA PRIVATE KEY-----',
  (draw) => `${pick(draw, ['sk_test_', 'ghp_', 'shpat_', ''])}${'*'.repeat(16)}${chars(draw, alnum, 4)}`,
  (draw) =>
    pick(draw, [
      'eu-west-1',
      'RS256',
      'client_credentials',
      'read:user,write:repo',
      'application/json',
      '2026-11-23T10:00:00Z',
      '86400',
      'a-guide-for-teams-2026',
      'text-embedding-3-small',
    ]),
  (draw) => `sk-${pick(draw, ['this-is-not-a-real-key', 'replace-me-with-your-key-2', 'insert-key-here-please-123'])}`,
  () => 'sk_test_4eC39HqLyjWDarjtT1zdp7dc',
]

/** Like `drawSecrets`, of what is none. */
export function drawPlaceholders(draw: Draw, count: number): Sample[] {
  const names = ['API_KEY', 'token', 'password', 'client_secret', 'STRIPE_SECRET_KEY', 'Authorization', 'accessToken']
  return Array.from({ length: count }, (_, index) => {
    const secret = (placeholders[index % placeholders.length] ?? pick(draw, placeholders))(draw)
    const body = pick(draw, contexts)(pick(draw, names), secret)
    return {
      kind: String(index % placeholders.length),
      secret,
      text: `## Setup\n\n${pick(draw, sentences)}\n\n${body}\n`,
    }
  })
}
