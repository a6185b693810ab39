import { z } from 'zod'
import { listQuerySchema } from './admin.ts'

/** What members may do, from least to most. A role may all that those before it may. */
export const roles = ['viewer', 'editor', 'owner'] as const
export type Role = (typeof roles)[number]

const roleSchema = z.enum(roles).meta({
  id: 'Role',
  description:
    '`viewer` reads; `editor` also syncs, starts jobs, merges and writes instructions; `owner` does everything.',
})

/** Shortest and longest password, in characters. */
const passwordCharsMin = 12
const passwordCharsMax = 200

const timestamp = () => z.iso.datetime()

const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email({ error: 'is not an e-mail address' }))

const personName = z.string().trim().min(1).max(100)

/** A password that is checked, of any length, so that rules which become stricter lock nobody out. */
const givenPassword = z.string().min(1).max(passwordCharsMax)

/** A password that is set. How easy it is to guess is looked at where it is hashed. */
const newPassword = z
  .string()
  .min(passwordCharsMin, { error: `is shorter than ${passwordCharsMin} characters` })
  .max(passwordCharsMax, { error: `is longer than ${passwordCharsMax} characters` })

export const signInSchema = z
  .object({ email: z.string().trim().toLowerCase().max(254), password: givenPassword })
  .meta({ id: 'SignIn' })

export const signOutSchema = z
  .object({ everywhere: z.boolean().default(false).meta({ description: 'Ends every session of the user.' }) })
  .meta({ id: 'SignOut' })

export const acceptSchema = z
  .object({
    token: z.string().max(200).meta({ description: 'What the link carried as `token`.' }),
    name: personName.nullish().meta({ description: 'Required when an invitation is accepted.' }),
    email: emailSchema
      .nullish()
      .meta({ description: 'Required where neither the user nor the invitation has one; else it stays as it is.' }),
    password: newPassword,
  })
  .meta({ id: 'Accept' })

export const linkSignInSchema = acceptSchema.pick({ token: true }).meta({ id: 'LinkSignIn' })

export const passwordChangeSchema = z
  .object({ currentPassword: givenPassword, password: newPassword })
  .meta({ id: 'PasswordChange' })

/** What a link is for, told to whoever has it. */
export const acceptInfoSchema = z
  .object({
    kind: z.enum(['sign-in-link', 'invitation']),
    organization: z.object({ id: z.string(), name: z.string() }),
    role: roleSchema,
    name: z.string().nullable().meta({ description: 'Of the user; null for invitations.' }),
    email: z.string().nullable().meta({ description: 'Null: to be given.' }),
    hasPassword: z.boolean().meta({ description: 'Whether accepting replaces a password.' }),
    expiresAt: timestamp(),
  })
  .meta({ id: 'AcceptInfo' })

export const sessionSchema = z
  .object({
    user: z
      .object({ id: z.string(), name: z.string(), email: z.string().nullable(), role: roleSchema })
      .nullable()
      .meta({ description: 'Null when nobody is signed in.' }),
    organization: z.object({ id: z.string(), name: z.string() }),
    formToken: z
      .string()
      .nullable()
      .meta({ description: 'Sent as `X-Docent-Form-Token` with every request that changes something.' }),
    methods: z.object({ password: z.boolean(), oidc: z.object({ name: z.string() }).nullable() }),
    isFirstRun: z.boolean().meta({ description: 'Nobody can sign in yet but with the link of the first start.' }),
    commandPrefix: z.string().optional().meta({
      description:
        'Prefix of Docent commands on its server, such as `npx docent`. Shown to members, and to everybody before the owner has an account.',
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
export const memberListSchema = z
  .object({ items: z.array(memberSchema), nextCursor: z.string().nullable() })
  .meta({ id: 'MemberList' })

export const memberUpdateSchema = z.object({ role: roleSchema }).meta({ id: 'MemberUpdate' })

export const invitationCreateSchema = z
  .object({
    role: roleSchema,
    email: emailSchema.nullish().meta({ description: 'Whom it is for; whoever has the link when it is not given.' }),
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
export const invitationListSchema = z
  .object({ items: z.array(invitationSchema), nextCursor: z.string().nullable() })
  .meta({ id: 'InvitationList' })

export const invitationCreatedSchema = invitationSchema
  .extend({ url: z.url().meta({ description: 'The link. Shown this once: only a hash is stored.' }) })
  .meta({ id: 'InvitationCreated' })

const actorKinds = ['key', 'user', 'local', 'anonymous'] as const

export const auditQuerySchema = listQuerySchema.extend({
  action: z.string().max(100).optional().meta({ description: 'Only this action, such as `key-created`.' }),
  actorId: z.string().max(200).optional().meta({ description: 'Only what this user or key did.' }),
  targetId: z.string().max(200).optional().meta({ description: 'Only what was done to this.' }),
  since: z.iso.datetime().optional().meta({ description: 'Not before this time.' }),
  until: z.iso.datetime().optional().meta({ description: 'Before this time.' }),
})

export const auditEntrySchema = z
  .object({
    id: z.string(),
    action: z.string().meta({ description: 'Noun and verb, such as `key-created`. More may be added.' }),
    actor: z.object({ kind: z.enum(actorKinds), id: z.string().nullable(), name: z.string() }),
    address: z.string().meta({ description: 'The address that the request came from.' }),
    target: z
      .object({ kind: z.string(), id: z.string().nullable(), name: z.string().nullable() })
      .nullable()
      .meta({ description: 'What it was done to, by its name at that time.' }),
    changes: z
      .array(z.object({ field: z.string(), from: z.string(), to: z.string() }))
      .meta({ description: 'What changed, if the action alone does not say it. Long values are cut.' }),
    createdAt: timestamp(),
  })
  .meta({ id: 'AuditEntry' })
export const auditListSchema = z
  .object({ items: z.array(auditEntrySchema), nextCursor: z.string().nullable() })
  .meta({ id: 'AuditList' })

export type ActorKind = (typeof actorKinds)[number]
export type Accept = z.output<typeof acceptSchema>
export type AcceptInfo = z.output<typeof acceptInfoSchema>
export type SessionResource = z.output<typeof sessionSchema>
export type MemberResource = z.output<typeof memberSchema>
export type InvitationResource = z.output<typeof invitationSchema>
export type AuditEntryResource = z.output<typeof auditEntrySchema>
