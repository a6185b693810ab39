import { assignment } from './named-secrets.ts'

/** How a secret of one kind looks. Every repetition is bounded, so that matching takes linear time. */
export interface SecretRule {
  /** For people, with an article: "a token of GitHub". */
  kind: string
  /** In lower case; every match contains one of them. Cheap to search for before the pattern is tried. */
  keywords: readonly string[]
  /**
   * With the flag `g`. The group `secret` is the part that has to look random; without it, the whole match. Every match
   * contains `ruleCharsMin` characters without a space.
   */
  pattern: RegExp
  /** Least Shannon entropy of the secret, in bits a character. */
  entropyMin: number
  /** Meant to be seen by the public, such as the key of a map in a page. */
  isPublishable: boolean
}

export const ruleCharsMin = 15

/** Not within a longer word: `task-…` does not contain `sk-…`. */
const start = String.raw`(?<![\p{L}\p{N}])`

type Row = readonly [kind: string, prefixes: string, tail: string]

/**
 * Keys that say what they are by their prefix. The length bounds keep prose that mentions a prefix, such as `sk-…`; they are
 * below the real lengths, because texts get cut.
 */
const prefixed: readonly Row[] = [
  ['a key of Docent', 'svc_dsc_ svc_', String.raw`[\w-]{24,200}`],
  ['a key of Anthropic', 'sk-ant-admin01- sk-ant-', String.raw`[\w-]{20,200}`],
  ['a key of OpenRouter', 'sk-or-v1-', '[a-f0-9]{32,128}'],
  ['a key of OpenAI', 'sk-proj- sk-svcacct- sk-admin- sess- sk-', String.raw`[\w-]{20,250}`],
  [
    'a key of Stripe or Clerk',
    'sk_live_ sk_test_ rk_live_ rk_test_ sk_ rk_ whsec_ whsec_test_',
    '[A-Za-z0-9+/=]{16,250}',
  ],
  ['a key of Stripe or Clerk', 'sk_org_live_ sk_org_test_ acct_secret_ ss_live_', '[A-Za-z0-9]{16,250}'],
  ['a token of GitHub', 'ghp_ gho_ ghu_ ghs_ ghr_', '[A-Za-z0-9]{30,255}'],
  ['a token of GitHub', 'github_pat_', String.raw`\w{30,255}`],
  [
    'a token of GitLab',
    'glpat- gldt- glrt- glptt- glcbt- glft- glsoat- glimt- glagent- gloas- glffct- GR1348941',
    String.raw`[\w.-]{20,255}`,
  ],
  ['a token of Slack', 'xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxc- xoxd- xapp-', String.raw`[\w%.-]{10,250}`],
  ['a key id of AWS', 'AKIA ASIA ABIA ACCA', '[0-9A-Z]{16}'],
  ['a key of Amazon Bedrock', 'ABSK bedrock-api-key-', '[A-Za-z0-9+/=]{60,400}'],
  ['a key of Google', 'AIza', String.raw`[\w-]{35}`],
  ['a client secret of Google', 'GOCSPX-', String.raw`[\w-]{20,60}`],
  ['an access token of Google', 'ya29.', String.raw`[\w.-]{20,400}`],
  ['a refresh token of Google', '1//0', String.raw`[\w-]{30,250}`],
  ['a token of npm', 'npm_', '[A-Za-z0-9]{30,60}'],
  ['a token of PyPI', 'pypi-', String.raw`[\w-]{40,400}`],
  ['a key of RubyGems', 'rubygems_', '[a-f0-9]{40,60}'],
  ['a token of crates.io', 'cio', '[A-Za-z0-9]{32}'],
  ['a token of Clojars', 'CLOJARS_', '[A-Za-z0-9]{50,70}'],
  ['a key of NuGet', 'oy2', '[a-z0-9]{43}'],
  ['a token of Docker', 'dckr_pat_ dckr_oat_', String.raw`[\w-]{24,60}`],
  ['a token of Hugging Face', 'hf_ api_org_', '[A-Za-z0-9]{30,60}'],
  ['a token of Databricks', 'dapi', '[a-h0-9]{30,40}(?:-[0-9])?'],
  ['a token of Vault', 'hvs. hvb. hvr.', String.raw`[\w-]{24,400}`],
  ['a token of Doppler', 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', String.raw`[\w.-]{30,120}`],
  ['a token of DigitalOcean', 'dop_v1_ doo_v1_ dor_v1_', '[a-f0-9]{40,80}'],
  ['a key of Linear', 'lin_api_ lin_oauth_ lin_wh_', '[A-Za-z0-9]{24,80}'],
  ['a token of Notion', 'ntn_ secret_', '[A-Za-z0-9]{36,60}'],
  ['a token of Supabase', 'sbp_ sbp_oauth_ sb_secret_', String.raw`[\w-]{24,80}`],
  ['a token of Shopify', 'shpat_ shpca_ shppa_ shpss_ shptka_', '[A-Fa-f0-9]{24,64}'],
  ['a key of Groq', 'gsk_', '[A-Za-z0-9]{24,80}'],
  ['a key of Perplexity', 'pplx-', '[A-Za-z0-9]{24,80}'],
  ['a key of Resend', 're_', '[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,40}'],
  ['a key of xAI', 'xai-', '[A-Za-z0-9]{40,120}'],
  ['a key of Cerebras', 'csk-', '[a-z0-9]{40,60}'],
  ['a key of Fireworks', 'fw_', '[A-Za-z0-9]{20,40}'],
  ['a key of Together', 'tgp_v1_', String.raw`[\w-]{36,60}`],
  ['a token of Replicate', 'r8_', '[A-Za-z0-9]{30,50}'],
  ['a key of LangSmith', 'lsv2_pt_ lsv2_sk_', '[a-f0-9]{32}_[a-f0-9]{10}'],
  ['a key of Pinecone', 'pcsk_', String.raw`\w{40,100}`],
  ['a key of Tavily', 'tvly-', String.raw`[\w-]{28,80}`],
  ['a key of Nvidia', 'nvapi-', String.raw`[\w-]{40,90}`],
  ['a key of Langfuse', 'sk-lf-', '[0-9a-f-]{36}'],
  ['a key of Voyage', 'pa-', String.raw`[\w-]{43}`],
  ['a key of Firecrawl', 'fc-', '[a-f0-9]{32}'],
  ['a key of SendGrid', 'SG.', String.raw`[\w-]{16,32}\.[\w-]{16,64}`],
  ['a key of Mailgun', 'key- pubkey-', '[a-f0-9]{32}'],
  ['a key of Brevo', 'xkeysib- xsmtpsib-', '[a-f0-9]{64}(?:-[A-Za-z0-9]{16})?'],
  ['a key of Mandrill', 'md-', '[A-Za-z0-9_-]{22}'],
  ['a token of Grafana', 'glc_ glsa_', String.raw`[\w+/=-]{32,400}`],
  ['a token of Sentry', 'sntrys_ sntryu_', String.raw`[\w+/=.-]{40,400}`],
  ['a key of New Relic', 'NRAK- NRAA- NRII- NRSP-', String.raw`[\w-]{20,60}`],
  ['a token of Dynatrace', 'dt0c01. dt0s01. dt0s16.', String.raw`[A-Z0-9]{24}\.[A-Z0-9]{64}`],
  ['a key of Honeycomb', 'hcaik_ hcbik_ hcxik_', '[a-z0-9]{40,70}'],
  ['a key of PostHog', 'phx_', '[A-Za-z0-9]{30,60}'],
  ['a key of Postman', 'PMAK-', '[a-f0-9]{24}-[a-f0-9]{34}'],
  ['a token of Pulumi', 'pul-', '[a-f0-9]{40}'],
  ['a token of PlanetScale', 'pscale_tkn_ pscale_pw_ pscale_oauth_', String.raw`[\w.=-]{32,80}`],
  ['a password of Neon', 'npg_', '[A-Za-z0-9]{12,24}'],
  ['a key of Neon', 'napi_', '[a-z0-9]{48,80}'],
  ['a token of Netlify', 'nfp_ nfc_ nfo_ nfu_ nfb_', '[A-Za-z0-9]{30,50}'],
  ['a token of Vercel', 'vercel_blob_rw_ vck_ vcp_ vci_ vca_ vcr_ vc_', '[A-Za-z0-9]{24,80}'],
  ['a token of Fly', 'fo1_ fm1r_ fm2_', String.raw`[\w+/=,-]{40,400}`],
  ['a key of Render', 'rnd_', '[A-Za-z0-9]{24,50}'],
  ['a token of Heroku', 'HRKU-', String.raw`[\w-]{36,80}`],
  ['a token of Cloudflare', 'cfut_ cfat_ cfk_', '[A-Za-z0-9]{36,60}'],
  ['an origin key of Cloudflare', 'v1.0-', '[a-f0-9]{24}-[a-f0-9]{146}'],
  ['a token of Atlassian', 'ATATT3 ATCTT3 ATBB ATOA', String.raw`[\w=+/.-]{24,400}`],
  ['a token of Figma', 'figd_ figo_ figu_', String.raw`[\w-]{36,60}`],
  ['a token of Airtable', 'pat', String.raw`[A-Za-z0-9]{14}\.[a-f0-9]{64}`],
  ['a token of HubSpot', 'pat-na1- pat-na2- pat-eu1-', '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}'],
  ['a token of Contentful', 'CFPAT-', String.raw`[\w-]{43}`],
  ['a token of Typeform', 'tfp_', String.raw`[\w.-]{40,70}`],
  ['a key of ReadMe', 'rdme_', '[a-z0-9]{60,80}'],
  ['a token of Buildkite', 'bkua_ bkct_ bkpt_', '[a-z0-9]{36,70}'],
  ['a token of CircleCI', 'CCIPAT_ CCIPRJ_', String.raw`\w{36,100}`],
  ['a token of Harness', 'pat. sat.', String.raw`[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}`],
  ['a token of SonarQube', 'sqp_ squ_ sqa_', '[a-f0-9]{40}'],
  ['a key of JFrog', 'AKCp cmVmd', '[A-Za-z0-9]{59,80}'],
  ['a key of Infracost', 'ico-', '[A-Za-z0-9]{32}'],
  ['a key of Prefect', 'pnu_ pnb_', '[A-Za-z0-9]{36}'],
  ['a key of Tailscale', 'tskey-api- tskey-auth- tskey-client- tskey-scim- tskey-webhook-', String.raw`[\w-]{20,100}`],
  ['a key of Square', 'sq0atp- sq0csp- sq0idp-', String.raw`[\w-]{22,60}`],
  ['a token of Square', 'EAAAE EAAAl', String.raw`[\w-]{55,65}`],
  ['a key of EasyPost', 'EZAK EZTK', '[A-Za-z0-9]{54}'],
  ['a token of Shippo', 'shippo_live_ shippo_test_', '[a-fA-F0-9]{40}'],
  ['a token of Duffel', 'duffel_live_ duffel_test_', String.raw`[\w=-]{43}`],
  ['a key of Flutterwave', 'FLWSECK_TEST- FLWSECK-', '[A-Za-z0-9]{12,40}(?:-X)?'],
  ['a key of Razorpay', 'rzp_live_ rzp_test_', '[A-Za-z0-9]{14,24}'],
  ['a key of Lob', 'live_ test_', '(?:pub_)?[a-f0-9]{35}'],
  [
    'a token of Plaid',
    'access-production- access-sandbox- access-development-',
    '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}',
  ],
  ['a token of Braintree', 'access_token$production$ access_token$sandbox$', String.raw`[a-z0-9]{16}\$[0-9a-f]{32}`],
  ['a secret of LaunchDarkly', 'sdk- api-', '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}'],
  ['a key of Statsig', 'secret- console-', '[A-Za-z0-9]{40,50}'],
  ['a token of Facebook', 'EAA', '[A-Za-z0-9]{100,250}'],
  ['a token of Dropbox', 'sl.', String.raw`[\w-]{60,200}`],
  ['a token of Frame.io', 'fio-u-', String.raw`[\w=-]{64}`],
  ['a token of 1Password', 'ops_eyJ', '[A-Za-z0-9+/=]{100,2000}'],
  ['a secret key of 1Password', 'A3-', '[A-Z0-9]{6}-[A-Z0-9]{6,11}-(?:[A-Z0-9]{5}-){2,3}[A-Z0-9]{5}'],
  ['a secret key of age', 'AGE-SECRET-KEY-1', '[A-Z0-9]{58}'],
  ['a key of Yandex', 'AQVN', String.raw`[\w-]{35,38}`],
  ['a key of Alibaba', 'LTAI', '[A-Za-z0-9]{16,24}'],
  ['a key of Tencent', 'AKID', '[A-Za-z0-9]{28,36}'],
  ['a key of Scalingo', 'tk-us-', String.raw`[\w-]{48}`],
  ['a token of Terraform Cloud', 'atlasv1.', String.raw`[\w=-]{50,80}`],
  ['a token of Ngrok', 'ngrok_api_', String.raw`\w{30,70}`],
  ['a key of Apify', 'apify_api_', '[A-Za-z0-9]{30,50}'],
  ['a token of Adafruit', 'aio_', '[A-Za-z0-9]{28}'],
  ['a key of Polar', 'polar_oat_ polar_pat_', '[A-Za-z0-9]{30,60}'],
  ['a key of Unkey', 'unkey_', '[A-Za-z0-9]{20,40}'],
  ['a token of Mapbox', 'sk.eyJ', String.raw`[\w-]{50,200}\.[\w-]{20,40}`],
  ['a key of WorkOS', 'sk_live_a2V5 sk_test_a2V5', '[A-Za-z0-9]{30,100}'],
  ['a key of Trigger.dev', 'tr_prod_ tr_dev_ tr_stg_', '[A-Za-z0-9]{20,40}'],
  ['a key of Inngest', 'signkey-prod- signkey-test- signkey-branch-', '[a-f0-9]{32,70}'],
  ['a key of Novu', 'nvu_', '[a-f0-9]{28,40}'],
  ['a token of Sanity', 'skSANITY sk', '[A-Za-z0-9]{80,180}'],
  ['a key of Mintlify', 'mint_', '[A-Za-z0-9]{20,50}'],
  ['a key of Discord', 'mfa.', String.raw`[\w-]{80,90}`],
]

/** Keys whose shape has no prefix. */
const shaped: readonly (readonly [kind: string, keywords: string, pattern: RegExp])[] = [
  ['a JSON web token', 'eyJ', /(?<![\w-])eyJ[\w-]{4,2000}\.(?<secret>[\w-]{8,4000}\.[\w-]{8,1000})/g],
  [
    'a webhook of Slack',
    'hooks.slack.com',
    /hooks\.slack\.com\/(?:services|workflows|triggers)\/(?:[A-Z0-9]{6,14}\/){1,2}(?:\d{6,20}\/)?(?<secret>[A-Za-z0-9]{18,60})/g,
  ],
  [
    'a webhook of Discord',
    '/webhooks/',
    /discord(?:app)?\.com\/api(?:\/v\d{1,2})?\/webhooks\/\d{16,22}\/(?<secret>[\w-]{40,100})/g,
  ],
  [
    'a webhook of Teams',
    '.webhook.office.com',
    /\.webhook\.office\.com\/webhookb2\/[\w@-]{30,90}\/IncomingWebhook\/(?<secret>[a-f0-9]{32})/g,
  ],
  [
    'a webhook of Power Automate',
    '&sig=',
    /\/workflows\/[a-f0-9]{32}\/triggers\/[^\s"'<>]{0,300}&sig=(?<secret>[\w%-]{36,60})/g,
  ],
  [
    'a webhook of Google Chat',
    'chat.googleapis.com',
    /chat\.googleapis\.com\/v1\/spaces\/[\w-]{4,40}\/messages\?key=[\w-]{20,60}&token=(?<secret>[\w%-]{30,90})/g,
  ],
  ['a webhook of Zapier', 'hooks.zapier.com', /hooks\.zapier\.com\/hooks\/catch\/\d{4,10}\/(?<secret>[a-z0-9]{6,20})/g],
  ['a webhook of Make', '.make.com', /hook\.[a-z0-9]{2,4}\.make\.com\/(?<secret>[a-z0-9]{28,40})/g],
  ['a token of a Discord bot', '.', /(?<![\w.-])[MNO][A-Za-z\d]{23,27}\.[\w-]{6}\.(?<secret>[\w-]{27,45})(?![\w-])/g],
  ['a token of a Telegram bot', ':a', /(?<![\w.])(?:bot)?\d{7,11}:(?<secret>A[\w-]{34})(?![\w-])/g],
  ['a server key of Firebase', ':apa91b', /AAAA[\w-]{7}:(?<secret>APA91b[\w-]{100,200})/g],
  ['a key id of Twilio', 'sk', /(?<![A-Za-z0-9])SK(?<secret>[0-9a-f]{32})(?![A-Za-z0-9])/g],
  [
    'a key of Azure',
    'key=',
    /(?:AccountKey|SharedAccessKey|SharedSecretValue)=(?<secret>[A-Za-z0-9+/]{40,100}={0,2})/gi,
  ],
  ['a signature of Azure', 'sig=', /[?&;]s[vre]=[^\s"'<>]{4,400}&sig=(?<secret>[\w%+/-]{36,80})/g],
  ['a client secret of Azure', 'q~', /(?<![\w~.-])(?<secret>[\w~.-]{3}\dQ~[\w~.-]{31,34})(?![\w~.-])/g],
  ['a token of Okta', 'ssws', /SSWS (?<secret>00[\w-]{40})/g],
  ['a service key of Cloudflare', 'v1.0-', /(?<![\w.])v1\.0-[a-f0-9]{20,32}-(?<secret>[a-f0-9]{100,160})/g],
  ['a key of Mailchimp', '-us', /(?<![A-Za-z0-9])(?<secret>[0-9a-f]{32})-us\d{1,2}(?!\d)/g],
  ['a key of Cloudinary', 'cloudinary://', /cloudinary:\/\/\d{10,20}:(?<secret>[\w-]{20,40})@/g],
  ['a signed address of AWS', 'x-amz-signature=', /X-Amz-Signature=(?<secret>[0-9a-f]{64})/gi],
  ['a token of Asana', ':', /(?<![\w/])[012]\/\d{13,20}(?:\/\d{13,20})?:(?<secret>[0-9a-f]{32})(?![0-9a-f])/g],
  ['a token of Cloudsmith', 'dl.cloudsmith.io', /dl\.cloudsmith\.io\/(?<secret>[A-Za-z0-9]{16})\//g],
]

/** Secrets without a shape of their own, such as 32 hexadecimal digits: recognized by the name of their service before them. */
const named: readonly (readonly [kind: string, names: string, value: string])[] = [
  ['a secret key of AWS', 'aws', '[A-Za-z0-9+/]{40}'],
  ['a token of Twilio', 'twilio', '[0-9a-f]{32}'],
  ['a key of Datadog', 'datadog dd_api dd_app dd-api dd-application', '[0-9a-f]{32}|[0-9a-f]{40}'],
  ['a key of Algolia', 'algolia', '[0-9a-f]{32}'],
  ['a key of Heroku', 'heroku', '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}'],
  ['a token of Postmark', 'postmark', '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}'],
  ['a token of Cloudflare', 'cloudflare cf_api x-auth-key', String.raw`[\w-]{40}|[0-9a-f]{37}`],
  ['a token of Vercel', 'vercel', '[A-Za-z0-9]{24}'],
  ['a token of Netlify', 'netlify', String.raw`[\w-]{40,46}`],
  ['a key of Scaleway', 'scw_ scaleway', '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}'],
  ['a key of Exa', 'exa_api', '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}'],
  ['a token of Snyk', 'snyk', '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}'],
  ['a token of CircleCI', 'circleci circle_token circle-token', '[0-9a-f]{40}'],
  ['a token of Fastly', 'fastly', String.raw`[\w-]{32}`],
  ['a token of Okta', 'okta ssws', String.raw`00[\w-]{40}`],
  ['a key of Cohere', 'cohere', '[A-Za-z0-9]{40}'],
  ['a key of Mistral', 'mistral', '[A-Za-z0-9]{32}'],
  ['a key of ElevenLabs', 'elevenlabs xi-api-key eleven_', '[0-9a-f]{32}'],
  ['a key of Deepgram', 'deepgram', '[0-9a-f]{40}'],
  ['a key of AssemblyAI', 'assemblyai', '[0-9a-f]{32}'],
  ['a key of Azure', 'azure ocp-apim-subscription-key cognitive', '[0-9a-f]{32}|[A-Za-z0-9]{84}'],
  ['a token of Rollbar', 'rollbar', '[0-9a-f]{32}'],
  ['a key of Bugsnag', 'bugsnag', '[0-9a-f]{32}'],
  ['a token of Trello', 'trello', '[0-9a-f]{32}|[0-9a-f]{64}|ATTA[0-9a-f]{64}'],
  ['a token of Zendesk', 'zendesk', '[A-Za-z0-9]{40}'],
  ['a key of Segment', 'segment', '[A-Za-z0-9]{32}'],
  ['a key of Amplitude', 'amplitude', '[0-9a-f]{32}'],
  ['a secret of Mixpanel', 'mixpanel', '[0-9a-f]{32}|[A-Za-z0-9]{32}'],
  ['a key of PagerDuty', 'pagerduty', String.raw`[\w+-]{20}|[0-9a-f]{32}`],
  ['a key of Opsgenie', 'opsgenie', '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}'],
  ['a key of Discourse', 'discourse', '[0-9a-f]{64}'],
  ['a key of Pusher', 'pusher', '[0-9a-f]{20}'],
  ['a key of Ably', 'ably', String.raw`[\w-]{6}\.[\w-]{6}:[\w-]{43}|[\w-]{6}\.[\w-]{6}:[\w-]{16,22}`],
  ['a key of Vonage', 'vonage nexmo', '[A-Za-z0-9]{16}'],
  ['a key of Auth0', 'auth0', String.raw`[\w-]{64}`],
  ['a token of Codecov', 'codecov', '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}'],
  ['a token of Travis', 'travis', String.raw`[\w-]{22}`],
  ['a token of Sentry', 'sentry', '[0-9a-f]{64}'],
  ['a token of Upstash', 'upstash', '[A-Za-z0-9=]{40,80}'],
  ['a key of Elastic', 'elastic apikey', String.raw`[A-Za-z0-9+/]{50,80}={0,2}`],
  ['a key of LaunchDarkly', 'launchdarkly', '[0-9a-f]{40}'],
  ['a secret of PayPal', 'paypal', String.raw`E[\w-]{79}`],
  ['a secret of Twitter', 'twitter', '[A-Za-z0-9]{45,50}|[0-9]{15,20}-[A-Za-z0-9]{40}'],
  ['a secret of Facebook', 'facebook fb_app meta_app', '[0-9a-f]{32}'],
  ['a secret of LinkedIn', 'linkedin', '[A-Za-z0-9]{16}'],
  ['a secret of Twitch', 'twitch', '[a-z0-9]{30}'],
  ['a secret of Spotify', 'spotify', '[0-9a-f]{32}'],
  ['a secret of GitHub', 'github_client_secret github_secret github_token', '[0-9a-f]{40}'],
  ['a license key of New Relic', 'new_relic newrelic new-relic', '[0-9a-f]{36}NRAL|[0-9a-f]{40}'],
  ['a key of Confluent', 'confluent', '[A-Za-z0-9+/]{64}'],
  ['a token of Bitbucket', 'bitbucket', String.raw`[\w-]{44,64}|[A-Za-z0-9]{32}`],
  ['a token of Intercom', 'intercom', '[A-Za-z0-9=_-]{60}'],
  ['a token of Grafana', 'grafana', 'eyJrIjoi[A-Za-z0-9+/]{40,120}={0,2}'],
]

/** Made to be shown: reported, never refused. */
const publishable: readonly Row[] = [
  ['a publishable key of Stripe or Clerk', 'pk_live_ pk_test_', '[A-Za-z0-9+/=$]{16,250}'],
  ['a project key of PostHog', 'phc_', '[A-Za-z0-9]{30,60}'],
  ['a public token of Mapbox', 'pk.eyJ', String.raw`[\w-]{50,200}\.[\w-]{20,40}`],
  ['a publishable key of Supabase', 'sb_publishable_', String.raw`[\w-]{24,80}`],
  ['a site key of reCAPTCHA', '6L', String.raw`[\w-]{6}AAAAA[\w-]{27}`],
]

/** @param write Called for the first text with a keyword of the rule: compiling all patterns would take 13 ms. */
function toRule(kind: string, keywords: readonly string[], write: () => RegExp, isPublishable = false): SecretRule {
  let pattern: RegExp | null = null
  return {
    kind,
    keywords: keywords.map((keyword) => keyword.toLowerCase()),
    get pattern() {
      return (pattern ??= write())
    },
    entropyMin: 2.6,
    isPublishable,
  }
}

const escape = (text: string) => text.replaceAll(/[$.()+/]/g, String.raw`\$&`)

function ofRow([kind, prefixes, tail]: Row, isPublishable: boolean): SecretRule {
  // The longest prefix first, so that what has to look random begins behind all of it.
  const known = prefixes.split(' ').sort((a, b) => b.length - a.length)
  const pattern = `${start}(?:${known.map(escape).join('|')})(?<secret>${tail})`
  return toRule(kind, known, () => new RegExp(pattern, 'gu'), isPublishable)
}

/** The name of the service may itself say that it is a key. */
const credential = String.raw`[\w .-]{0,40}?(?:key|token|secret|passw(?:or)?d|auth|licen[cs]e|credential)\w{0,12}`

function ofName([kind, names, value]: (typeof named)[number]): SecretRule {
  const known = names.split(' ')
  const name = `(?=${known.join('|')})${credential}${assignment}(?:(?:SSWS|Bearer|Token|Basic|ApiKey) )?`
  const pattern = String.raw`${name}(?<![A-Za-z0-9+/-])(?<secret>${value})(?![A-Za-z0-9+/=-])`
  return toRule(kind, known, () => new RegExp(pattern, 'gi'))
}

/** The rules of services, most specific first. */
export const secretRules: readonly SecretRule[] = [
  ...prefixed.map((row) => ofRow(row, false)),
  ...shaped.map(([kind, keyword, pattern]) => toRule(kind, [keyword], () => pattern)),
  ...named.map(ofName),
  ...publishable.map((row) => ofRow(row, true)),
]
