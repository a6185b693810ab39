import { z } from 'zod'
import { brandSchema } from './brand.ts'
import { listQuerySchema } from './admin.ts'
import { pageOf } from './page-of.ts'
import { timestamp } from './timestamp.ts'

/** Roles of members, from least to most privileged. Each includes the ones before it. */
export const roles = ['viewer', 'editor', 'owner'] as const
export type Role = (typeof roles)[number]

const roleSchema = z.enum(roles).meta({
  id: 'Role',
  description:
    '`viewer` reads; `editor` also syncs, starts jobs, merges and writes instructions; `owner` does everything.',
})

/** Bounds of passwords, in characters. */
const passwordCharsMin = 12
const passwordCharsMax = 200

const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email({ error: 'is not an e-mail address' }))

const personName = z.string().trim().min(1).max(100)

/** A password to check: any length, so that stricter rules for new passwords lock nobody out. */
const givenPassword = z.string().min(1).max(passwordCharsMax)

/** A new password. Its strength is checked where it is hashed. */
const newPassword = z
  .string()
  .min(passwordCharsMin, { error: `is shorter than ${passwordCharsMin} characters` })
  .max(passwordCharsMax, { error: `is longer than ${passwordCharsMax} characters` })

export const signInSchema = z
  .object({ email: z.string().trim().toLowerCase().max(254), password: givenPassword })
  .meta({ id: 'SignIn' })

export const signOutSchema = z
  .object({ everywhere: z.boolean().default(false).meta({ description: 'Whether to end every session of the user.' }) })
  .meta({ id: 'SignOut' })

export const acceptInvitationSchema = z
  .object({
    token: z.string().max(200).meta({ description: 'The `token` parameter of the link.' }),
    name: personName.nullish().meta({ description: 'Required to accept an invitation.' }),
    email: emailSchema.nullish().meta({
      description: 'Required if neither the user nor the invitation has one; otherwise unchanged if omitted.',
    }),
    password: newPassword,
  })
  .meta({ id: 'Accept' })

export const linkSignInSchema = acceptInvitationSchema.pick({ token: true }).meta({ id: 'LinkSignIn' })

export const passwordChangeSchema = z
  .object({ currentPassword: givenPassword, password: newPassword })
  .meta({ id: 'PasswordChange' })

/** What a link is for, as shown to the person who opens it. */
export const acceptInfoSchema = z
  .object({
    kind: z.enum(['sign-in-link', 'invitation']),
    organization: z.object({ id: z.string(), name: z.string() }),
    role: roleSchema,
    name: z.string().nullable().meta({ description: 'Name of the user; null for invitations.' }),
    email: z.string().nullable().meta({ description: 'Null if the user must provide one.' }),
    hasPassword: z.boolean().meta({ description: 'Whether accepting replaces a password.' }),
    expiresAt: timestamp(),
  })
  .meta({ id: 'AcceptInfo' })

export const sessionSchema = z
  .object({
    user: z
      .object({ id: z.string(), name: z.string(), email: z.string().nullable(), role: roleSchema })
      .nullable()
      .meta({ description: 'Null if nobody is signed in.' }),
    organization: z.object({ id: z.string(), name: z.string() }),
    brand: brandSchema,
    formToken: z
      .string()
      .nullable()
      .meta({ description: 'Send it as `X-Docent-Form-Token` with every request that is not a GET.' }),
    methods: z.object({ password: z.boolean(), oidc: z.object({ name: z.string() }).nullable() }),
    isFirstRun: z.boolean().meta({
      description: 'Until an owner has an account, only the link printed by the first start opens the dashboard.',
    }),
    commandPrefix: z.string().optional().meta({
      description:
        'Prefix of Docent commands on the server, such as `npx docent`. Sent to members, and to everybody until the owner has an account.',
    }),
  })
  .meta({ id: 'Session' })

export const memberSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    role: roleSchema,
    createdAt: timestamp(),
    lastSignInAt: timestamp().nullable(),
  })
  .meta({ id: 'Member' })
export const memberListSchema = pageOf(memberSchema, 'MemberList')

export const memberUpdateSchema = z.object({ role: roleSchema }).meta({ id: 'MemberUpdate' })

export const invitationCreateSchema = z
  .object({
    role: roleSchema,
    email: emailSchema.nullish().meta({ description: 'Who may accept it. Anyone with the link if omitted.' }),
  })
  .meta({ id: 'InvitationCreate' })

export const invitationSchema = z
  .object({
    id: z.string(),
    role: roleSchema,
    email: z.string().nullable(),
    invitedBy: z.string(),
    state: z.enum(['open', 'used', 'revoked', 'expired']),
    createdAt: timestamp(),
    expiresAt: timestamp(),
  })
  .meta({ id: 'Invitation' })
export const invitationListSchema = pageOf(invitationSchema, 'InvitationList')

export const invitationCreatedSchema = invitationSchema
  .extend({ url: z.url().meta({ description: 'The link. Shown only once: Docent stores only a hash of it.' }) })
  .meta({ id: 'InvitationCreated' })

const actorKinds = ['key', 'user', 'local', 'anonymous'] as const

export const auditQuerySchema = listQuerySchema.extend({
  action: z.string().max(100).optional().meta({ description: 'Only this action, such as `key-created`.' }),
  actorId: z.string().max(200).optional().meta({ description: 'Only actions of this user or key.' }),
  targetId: z.string().max(200).optional().meta({ description: 'Only actions on this target.' }),
  since: z.iso.datetime().optional().meta({ description: 'Only entries from this time on.' }),
  until: z.iso.datetime().optional().meta({ description: 'Only entries before this time.' }),
})

export const auditEntrySchema = z
  .object({
    id: z.string(),
    action: z.string().meta({ description: 'Noun and verb, such as `key-created`. New actions may be added.' }),
    actor: z.object({ kind: z.enum(actorKinds), id: z.string().nullable(), name: z.string() }),
    address: z.string().meta({ description: 'Client address of the request.' }),
    target: z
      .object({ kind: z.string(), id: z.string().nullable(), name: z.string().nullable() })
      .nullable()
      .meta({ description: 'The target, with its name at that time.' }),
    changes: z
      .array(z.object({ field: z.string(), from: z.string(), to: z.string() }))
      .meta({ description: 'What changed, unless the action says it all. Long values are truncated.' }),
    createdAt: timestamp(),
  })
  .meta({ id: 'AuditEntry' })
export const auditListSchema = pageOf(auditEntrySchema, 'AuditList')

export type ActorKind = (typeof actorKinds)[number]
export type Accept = z.output<typeof acceptInvitationSchema>
export type AcceptInfo = z.output<typeof acceptInfoSchema>
export type SessionResource = z.output<typeof sessionSchema>
export type MemberResource = z.output<typeof memberSchema>
export type InvitationResource = z.output<typeof invitationSchema>
export type AuditEntryResource = z.output<typeof auditEntrySchema>
