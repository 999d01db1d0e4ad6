/** What the owner of a store without a seller does first. */
export const firstSteps = (publicUrl: string) => [
  { step: 'account', text: `Sign up at ${publicUrl}/signup and confirm your address` } as const,
  {
    step: 'seller',
    text: 'Let the account sell: npx pnpm ops grant-admin <your e-mail address> --reason "first seller"',
  } as const,
  { step: 'work', text: `Log in and mint a work at ${publicUrl}/studio` } as const,
]
