import type { FastifyContextConfig, HTTPMethods } from 'fastify'

/** A route of the gateway that a service handles. */
export type ProxiedRoute = { url: string; methods: HTTPMethods[]; config: FastifyContextConfig }

/** Registers a route; the next one may be registered once it resolves. */
export type AddRoute = (route: ProxiedRoute) => PromiseLike<unknown> | void
