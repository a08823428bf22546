@echo off
rem Start PECF. Environment: JAVA_HOME, PECF_JAVA_OPTS (more options for the JVM).
setlocal
set "HOME_FOLDER=%~dp0.."
if defined JAVA_HOME (
  set "JAVA_COMMAND=%JAVA_HOME%\bin\java.exe"
) else (
  set "JAVA_COMMAND=java.exe"
)
"%JAVA_COMMAND%" -version >nul 2>&1
if errorlevel 1 (
  echo pecf-run: error: Java was not found. Install a JDK or JRE of version 17 or later, then set JAVA_HOME or put java on the PATH. 1>&2
  exit /b 3
)
set VERSION=0
for /f "tokens=3" %%v in ('""%JAVA_COMMAND%" -version 2>&1" ^| findstr /i "version"') do (
  for /f "delims=.-+ tokens=1" %%m in ("%%~v") do set VERSION=%%m
)
if %VERSION% LSS 17 (
  echo pecf-run: error: "%JAVA_COMMAND%" is Java %VERSION%, but version 17 or later is needed. Set JAVA_HOME to one. 1>&2
  exit /b 3
)
set NEWER=
if %VERSION% GEQ 24 set NEWER=--sun-misc-unsafe-memory-access=allow --enable-native-access=org.apache.arrow.memory.core,org.pecf.engine
"%JAVA_COMMAND%" ^
  -XX:+UseParallelGC ^
  -XX:Tier4InvocationThreshold=20000 ^
  --add-opens=java.base/java.nio=org.apache.arrow.memory.core ^
  --add-modules=org.apache.arrow.memory.unsafe,java.sql ^
  -Darrow.enable_null_check_for_get=false ^
  -Djdk.console=java.base ^
  "-Dpecf.home=%HOME_FOLDER%" ^
  "-Dlog4j2.configurationFile=%HOME_FOLDER%\conf\log4j2.properties" ^
  --module-path "%HOME_FOLDER%\lib" ^
  %NEWER% %PECF_JAVA_OPTS% ^
  --module org.pecf.cli/org.pecf.cli.Main %*
exit /b %ERRORLEVEL%
