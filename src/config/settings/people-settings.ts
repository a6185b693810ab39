import { z } from 'zod'
import { flag, httpUrl, setting, whole } from './setting-shapes.ts'

export const peopleSettings = {
  oidcIssuer: setting(httpUrl.optional(), {
    env: 'DOCENT_OIDC_ISSUER',
    description:
      'The OpenID Connect issuer that members sign in with, such as `https://login.example.com`. Must be https, except on this machine.',
    defaultText: 'none',
  }),
  oidcClientId: setting(z.string().min(1).optional(), {
    env: 'DOCENT_OIDC_CLIENT_ID',
    description: "Docent's client ID at the provider. Required with `DOCENT_OIDC_ISSUER`.",
    defaultText: 'none',
  }),
  oidcClientSecret: setting(z.string().min(1).optional(), {
    env: 'DOCENT_OIDC_CLIENT_SECRET',
    description: "Docent's client secret at the provider. Without it, Docent is a public client.",
    defaultText: 'none',
    isSecret: true,
  }),
  oidcName: setting(z.string().min(1).max(60).default('single sign-on'), {
    env: 'DOCENT_OIDC_NAME',
    description: "The provider's name on the sign-in button.",
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
        'E-mail domains, separated by commas. People with a verified address there become viewers when they first sign in.',
      defaultText: 'none: members are invited',
    },
  ),
  oidcRoleClaim: setting(z.string().min(1).max(200).default('groups'), {
    env: 'DOCENT_OIDC_ROLE_CLAIM',
    description: "The claim that lists a person's groups.",
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
        'Roles by group, as `group=role`, separated by commas. People in such a group become members, and get its role at each sign-in.',
      defaultText: 'none',
    },
  ),
  auditRetentionDays: setting(whole(0, 36_500).default(365), {
    env: 'DOCENT_AUDIT_RETENTION_DAYS',
    description: 'Days to keep audit log entries. 0 keeps them forever.',
  }),
  retentionDays: setting(whole(0, 36_500).default(90), {
    env: 'DOCENT_RETENTION_DAYS',
    description: 'Days to keep a conversation after its newest answer. 0 keeps it forever.',
  }),
  maskStored: setting(flag(true), {
    env: 'DOCENT_MASK_STORED',
    description:
      'Whether keys, tokens, e-mail addresses and card numbers are removed from questions, answers and feedback before they are stored. `true` or `false`.',
  }),
}
