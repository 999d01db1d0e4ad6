/** Whether the bank takes evidence about a dispute or an inquiry; once something was submitted it does not any more. */
export const takesEvidence = (status: string) => status.endsWith('needs_response')
