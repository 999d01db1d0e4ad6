// `validatorUrl`: no other host learns of the document.
window.SwaggerUIBundle({ dom_id: '#docs', url: '/api/docs', deepLinking: true, docExpansion: 'list', validatorUrl: null })
