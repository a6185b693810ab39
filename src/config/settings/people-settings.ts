import { z } from 'zod'
import { flag, httpUrl, setting, whole } from './setting-shapes.ts'

export const peopleSettings = {
  oidcIssuer: setting(httpUrl.optional(), {
    env: 'DOCENT_OIDC_ISSUER',
    description:
      'The issuer of the provider of OpenID Connect that members sign in with, such as `https://login.example.com`. https, but on this machine.',
    defaultText: 'none',
  }),
  oidcClientId: setting(z.string().min(1).optional(), {
    env: 'DOCENT_OIDC_CLIENT_ID',
    description: 'What the provider calls Docent. Required with `DOCENT_OIDC_ISSUER`.',
    defaultText: 'none',
  }),
  oidcClientSecret: setting(z.string().min(1).optional(), {
    env: 'DOCENT_OIDC_CLIENT_SECRET',
    description: 'The secret of Docent at the provider. Without one it is a public client.',
    defaultText: 'none',
    isSecret: true,
  }),
  oidcName: setting(z.string().min(1).max(60).default('single sign-on'), {
    env: 'DOCENT_OIDC_NAME',
    description: 'The name of the provider on the button.',
  }),
  oidcDomains: setting(
    z
      .string()
      .regex(/^\s*[^\s@,]+\.[^\s@,]+(?:\s*,\s*[^\s@,]+\.[^\s@,]+)*\s*$/, {
        error: 'is not a list of domains such as example.com, example.org',
      })
      .optional(),
    {
      env: 'DOCENT_OIDC_DOMAINS',
      description:
        'Domains of e-mail addresses, separated by commas. Whom the provider confirms with an address there becomes a viewer.',
      defaultText: 'none: members are invited',
    },
  ),
  oidcRoleClaim: setting(z.string().min(1).max(200).default('groups'), {
    env: 'DOCENT_OIDC_ROLE_CLAIM',
    description: 'The claim that names the groups of a person.',
  }),
  oidcRoles: setting(
    z
      .string()
      .regex(/^\s*[^,]+=(?:viewer|editor|owner)(?:\s*,\s*[^,]+=(?:viewer|editor|owner))*\s*$/, {
        error: 'is not a list such as docs-admins=owner, writers=editor',
      })
      .optional(),
    {
      env: 'DOCENT_OIDC_ROLES',
      description:
        'The roles that groups give, as `group=role`, separated by commas. Whoever is in one becomes a member, and has its role from the next sign-in on.',
      defaultText: 'none',
    },
  ),
  auditRetentionDays: setting(whole(0, 36_500).default(365), {
    env: 'DOCENT_AUDIT_RETENTION_DAYS',
    description: 'How many days entries of the audit log are kept. 0 keeps them for ever.',
  }),
  retentionDays: setting(whole(0, 36_500).default(90), {
    env: 'DOCENT_RETENTION_DAYS',
    description: 'How many days a conversation is kept after its newest answer. 0 keeps it for ever.',
  }),
  maskStored: setting(flag(true), {
    env: 'DOCENT_MASK_STORED',
    description:
      'Whether keys, tokens, e-mail addresses and card numbers are taken out of questions, answers and feedback before they are stored. `true` or `false`.',
  }),
}
