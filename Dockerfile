# An image of PECF with a Java of its own.
#   docker build -t pecf .
#   docker run --rm -v "$PWD:/data" pecf --data ratings.csv --out model
FROM maven:3.9-eclipse-temurin-17 AS build
WORKDIR /src
COPY . .
RUN mvn -B package -DskipTests
RUN mkdir -p /opt/pecf && tar -xzf distribution/target/pecf-*.tar.gz -C /opt/pecf --strip-components=1
RUN /opt/pecf/bin/make-runtime

FROM debian:stable-slim
COPY --from=build /opt/pecf /opt/pecf
WORKDIR /data
USER 1000
ENTRYPOINT ["/opt/pecf/bin/pecf-run"]
