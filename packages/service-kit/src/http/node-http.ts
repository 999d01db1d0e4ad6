/**
 * Node's modules of HTTP. An `import` of `node:http` reads all its exports, and the one of `WebSocket` loads Node's own
 * undici: about 5 MB of a process.
 */
export const http = process.getBuiltinModule('node:http')
export const https = process.getBuiltinModule('node:https')
