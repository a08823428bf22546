/** The answers of the service: records that are written as JSON. */
package org.pecf.serve.answer;
