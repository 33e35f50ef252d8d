/** A Deployment of which there is nothing to say, for the examples made right. */
export const VALID_DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers: [{ name: web, image: web:2 }]
`;
