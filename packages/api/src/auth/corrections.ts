/** What operators change in an account for a person who asks by letter, after proof of who it is. */
import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Id, IsoDate, Nullable, operatorAction } from '../shapes.ts'

const email = Type.String({ minLength: 1, maxLength: 254 })
const Done = { success: Type.Literal(true), userId: Id }

export const correctEmail = endpoint({
  summary: 'Gives an account another e-mail address',
  description:
    'For an owner who cannot read mails to the present one, which gets a mail with a link that freezes the account. ' +
    'Ends all sessions; the new address gets a confirmation mail and is not confirmed until then. 400 ' +
    '`invalid_email`; 404 `account_not_found`; 409 `email_taken`, `account_blocked`.',
  method: 'POST',
  path: '/internal/ops/correct-email',
  access: 'operator',
  role: 'owner',
  confirm: 'always',
  body: Type.Object({ email, newEmail: email, ...operatorAction }),
  response: Type.Object(Done),
})

export const removeFromProfile = endpoint({
  summary: 'Removes pictures, name or texts from a profile',
  description:
    'In place of the name the profile shows the user name; a former name is removed, too. Idempotent. 404 ' +
    '`account_not_found`.',
  method: 'POST',
  path: '/internal/ops/remove-from-profile',
  access: 'operator',
  role: 'moderation',
  confirm: 'always',
  body: Type.Object({
    email,
    parts: Type.Array(Type.Enum(['avatar', 'cover', 'name', 'description', 'links']), {
      minItems: 1,
      maxItems: 5,
      uniqueItems: true,
    }),
    ...operatorAction,
  }),
  response: Type.Object(Done),
})

export const deleteAccountOf = endpoint({
  summary: 'Deletes an account',
  description:
    'As its owner does: it is refused while a sale or a gift is under way, and while mailed links can freeze the ' +
    'account it is only blocked, until `erasedFrom`. 404 `account_not_found`; 409 `account_blocked` and those of ' +
    'the deletion by the owner.',
  method: 'POST',
  path: '/internal/ops/delete-account',
  access: 'operator',
  role: 'owner',
  confirm: 'always',
  body: Type.Object({
    email,
    /** Works in custody: without it they keep the account. */
    giveUpWorks: Type.Boolean(),
    ...operatorAction,
  }),
  response: Type.Object({ ...Done, erasedFrom: Nullable(IsoDate) }),
})
