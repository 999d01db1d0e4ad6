const units = { Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 }

/** Bytes of "512Mi"; NaN for quantities that Kubernetes rejects ("128MB") or that are certainly mistakes ("512m"). */
export function bytes(quantity: unknown): number {
  const [, number, unit] = /^(\d+)(Ki|Mi|Gi|Ti)$/.exec(String(quantity)) ?? []
  return unit ? Number(number) * units[unit as keyof typeof units] : Number.NaN
}

/** Cores of "250m" or "2"; NaN for anything else. */
export function cores(quantity: unknown): number {
  const [, number, milli] = /^(\d+(?:\.\d+)?)(m?)$/.exec(String(quantity)) ?? []
  return number ? Number(number) / (milli ? 1_000 : 1) : Number.NaN
}
